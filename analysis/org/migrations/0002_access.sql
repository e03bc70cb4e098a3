-- Who may see and do what. Readers get what the readers table grants to a role that they have;
-- publishers, who are the build machines, get everything. Nobody has a right on a partition, since
-- the rules of the table do not hold there.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'scope_reader') THEN
    CREATE ROLE scope_reader NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'scope_publisher') THEN
    CREATE ROLE scope_publisher NOLOGIN;
  END IF;
END $$;

GRANT USAGE ON SCHEMA scope TO scope_reader, scope_publisher;
GRANT SELECT ON scope.migrations TO scope_reader, scope_publisher;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repositories', 'readers', 'heads', 'contents', 'members', 'symbols',
                              'segments', 'postings', 'identifiers', 'summaries', 'packages'] LOOP
    EXECUTE format('ALTER TABLE scope.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('GRANT SELECT ON scope.%I TO scope_reader', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON scope.%I TO scope_publisher', name);
    EXECUTE format('CREATE POLICY publishing ON scope.%I TO scope_publisher'
                   ' USING (true) WITH CHECK (true)', name);
    -- The subquery is itself under the rule of the readers table.
    IF name = 'readers' THEN
      EXECUTE 'CREATE POLICY reading ON scope.readers FOR SELECT TO scope_reader USING'
              ' (role IN (SELECT rolname FROM pg_roles WHERE pg_has_role(oid, ''USAGE'')))';
    ELSE
      EXECUTE format('CREATE POLICY reading ON scope.%I FOR SELECT TO scope_reader'
                     ' USING (%I IN (SELECT repo FROM scope.readers))',
                     name, CASE name WHEN 'repositories' THEN 'id' ELSE 'repo' END);
    END IF;
  END LOOP;
END $$;
