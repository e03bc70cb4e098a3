-- Repositories with the same readers are one audience, and summaries are kept by audience and word:
-- what a question reads of all of them lies together, and nothing of a repository that the asker
-- does not see lies between.

ALTER TABLE scope.repositories ADD COLUMN audience bigint;

-- A number that repositories with the same readers share. That two others may share it too costs
-- time alone: who sees what is decided by the rules, row by row.
CREATE FUNCTION scope.audience_of(wanted integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT hashtextextended(coalesce(string_agg(quote_ident(role), ',' ORDER BY role), ''), 0)
  FROM scope.readers WHERE repo = wanted
$$;
UPDATE scope.repositories SET audience = scope.audience_of(id);
ALTER TABLE scope.repositories ALTER audience SET NOT NULL,
  ALTER audience SET DEFAULT hashtextextended('', 0);  -- of nobody

DO $$
BEGIN
  ALTER TABLE scope.summaries RENAME TO summaries_before;
  FOR part IN 0..7 LOOP
    EXECUTE format('ALTER TABLE scope.summaries%s RENAME TO summaries_before%s', part, part);
  END LOOP;
END $$;

CREATE TABLE scope.summaries (
  audience bigint NOT NULL,
  term text NOT NULL COLLATE "C",
  repo integer NOT NULL,
  chunks integer NOT NULL,
  named integer NOT NULL,
  CONSTRAINT summaries_by_word PRIMARY KEY (audience, term, repo) INCLUDE (chunks, named)
) PARTITION BY HASH (term);
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE scope.summaries%s PARTITION OF scope.summaries'
                   ' FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
  END LOOP;
END $$;
INSERT INTO scope.summaries
  SELECT r.audience, s.term, s.repo, s.chunks, s.named
  FROM scope.summaries_before s JOIN scope.repositories r ON r.id = s.repo;
DROP TABLE scope.summaries_before;
CREATE INDEX summaries_by_repo ON scope.summaries (repo);

ALTER TABLE scope.summaries ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON scope.summaries TO scope_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON scope.summaries TO scope_publisher;
CREATE POLICY publishing ON scope.summaries TO scope_publisher USING (true) WITH CHECK (true);
CREATE POLICY reading ON scope.summaries FOR SELECT TO scope_reader
  USING (repo IN (SELECT repo FROM scope.readers));

-- Whoever changes readers, by Scope or in SQL, moves the repository to its new audience.
CREATE FUNCTION scope.move_to_audience() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wanted integer;
  new_audience bigint;
BEGIN
  FOREACH wanted IN ARRAY CASE TG_OP WHEN 'INSERT' THEN ARRAY[NEW.repo]
      WHEN 'DELETE' THEN ARRAY[OLD.repo] ELSE ARRAY[OLD.repo, NEW.repo] END LOOP
    new_audience := scope.audience_of(wanted);
    UPDATE scope.repositories SET audience = new_audience
      WHERE id = wanted AND audience <> new_audience;
    IF FOUND THEN
      UPDATE scope.summaries SET audience = new_audience WHERE repo = wanted;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER readers_changed AFTER INSERT OR UPDATE OR DELETE ON scope.readers
  FOR EACH ROW EXECUTE FUNCTION scope.move_to_audience();
