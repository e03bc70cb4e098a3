-- The index of many repositories. Everything but the migrations hangs on one repository, and nothing
-- is shared between two: what one holds cannot be found out through another.

CREATE TABLE scope.repositories (
  id integer PRIMARY KEY,          -- random: numbers in a row would tell how many others there are
  name text NOT NULL UNIQUE,
  url text NOT NULL,               -- without user and password; empty for none
  branch text NOT NULL,            -- the branch that is asked
  format integer NOT NULL,         -- of what is packed into the rows
  parsers text NOT NULL            -- what the files were parsed with
);

-- Who sees a repository: the name of a role of the database, a login or a group of them.
CREATE TABLE scope.readers (
  repo integer NOT NULL REFERENCES scope.repositories ON DELETE CASCADE,
  role name NOT NULL,
  PRIMARY KEY (repo, role)
);

-- What of a repository is visible: one generation for each branch.
CREATE TABLE scope.heads (
  repo integer NOT NULL REFERENCES scope.repositories ON DELETE CASCADE,
  branch text NOT NULL,
  generation bigint NOT NULL,
  commit_id text NOT NULL,
  committed_at timestamptz NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  n_files integer NOT NULL,
  n_chunks integer NOT NULL,
  PRIMARY KEY (repo, branch)
);

-- A file's text and what was read out of it, once for all branches that have it.
CREATE TABLE scope.contents (
  repo integer NOT NULL,
  id bigint NOT NULL,
  path text NOT NULL COLLATE "C",
  hash bytea NOT NULL,
  language text NOT NULL,
  line_count integer NOT NULL,
  segment bigint NOT NULL,
  body bytea NOT NULL,             -- the text without secrets, deflated
  outline bytea NOT NULL,
  facts bytea NOT NULL,
  PRIMARY KEY (repo, id),
  UNIQUE (repo, path, hash)
) PARTITION BY HASH (repo);
ALTER TABLE scope.contents ALTER body SET STORAGE EXTERNAL;

-- The files of a branch.
CREATE TABLE scope.members (
  repo integer NOT NULL,
  branch text NOT NULL,
  content bigint NOT NULL,
  PRIMARY KEY (repo, branch, content)
) PARTITION BY HASH (repo);

-- From here the tables of an index file, each row with its repository.
CREATE TABLE scope.symbols (
  repo integer NOT NULL,
  file_id bigint NOT NULL,
  ord integer NOT NULL,
  parent integer,
  name text NOT NULL COLLATE "C",
  qualified_name text NOT NULL COLLATE "C",
  kind text NOT NULL,
  line integer NOT NULL,
  line_end integer NOT NULL,
  signature text NOT NULL,
  name_line integer NOT NULL,
  name_column integer NOT NULL,
  decorated_line integer NOT NULL,
  decorators text,
  docstring text,
  exported integer NOT NULL,
  PRIMARY KEY (repo, file_id, ord)
) PARTITION BY HASH (repo);
CREATE INDEX symbols_by_name ON scope.symbols (repo, name);

CREATE TABLE scope.segments (
  repo integer NOT NULL,
  id bigint NOT NULL,
  n_chunks integer NOT NULL,
  files bytea NOT NULL,
  chunks bytea NOT NULL,
  PRIMARY KEY (repo, id)
) PARTITION BY HASH (repo);

CREATE TABLE scope.postings (
  repo integer NOT NULL,
  segment bigint NOT NULL,
  term text NOT NULL COLLATE "C",
  data bytea NOT NULL,
  PRIMARY KEY (repo, term, segment)
) PARTITION BY HASH (repo);

CREATE TABLE scope.identifiers (
  repo integer NOT NULL,
  segment bigint NOT NULL,
  name text NOT NULL COLLATE "C",
  data bytea NOT NULL,
  PRIMARY KEY (repo, name, segment)
) PARTITION BY HASH (repo);

-- What is known of a repository before it is asked: in how many of its pieces of code a term
-- stands, and how many of its definitions have it in their own name. Of the branch that is asked.
CREATE TABLE scope.summaries (
  repo integer NOT NULL,
  term text NOT NULL COLLATE "C",
  chunks integer NOT NULL,
  named integer NOT NULL,
  PRIMARY KEY (repo, term)
) PARTITION BY HASH (repo);

-- Packages that a repository makes ('is') or needs ('needs'), and where its manifests say so.
CREATE TABLE scope.packages (
  repo integer NOT NULL,
  relation text NOT NULL,
  ecosystem text NOT NULL,
  name text NOT NULL COLLATE "C",
  path text NOT NULL COLLATE "C",
  PRIMARY KEY (repo, relation, ecosystem, name, path)
) PARTITION BY HASH (repo);

DO $$
DECLARE
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['contents', 'members', 'symbols', 'segments', 'postings',
                                'identifiers', 'summaries', 'packages'] LOOP
    FOR part IN 0..7 LOOP
      EXECUTE format('CREATE TABLE scope.%I PARTITION OF scope.%I'
                     ' FOR VALUES WITH (MODULUS 8, REMAINDER %s)', parent || part, parent, part);
    END LOOP;
  END LOOP;
END $$;
