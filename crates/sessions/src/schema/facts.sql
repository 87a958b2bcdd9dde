-- What is remembered of a session. `hash` tells what is the same from what is not, within one session.
CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  category TEXT NOT NULL,
  priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 4),
  text TEXT NOT NULL,
  detail TEXT NOT NULL,
  subject TEXT NOT NULL,
  state INTEGER NOT NULL,
  times INTEGER NOT NULL,
  hash TEXT NOT NULL,
  first_ms INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  UNIQUE (agent, session, hash)
);
CREATE INDEX facts_by_project ON facts (project, at_ms);

-- Facts last as long as their session, which lasts from its last use on.
CREATE TRIGGER facts_go_with_their_session AFTER DELETE ON sessions BEGIN
  DELETE FROM facts WHERE agent = old.agent AND session = old.session;
END;
