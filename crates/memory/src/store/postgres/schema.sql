-- Version 1 of what `plimsoll memory org init` makes. What is in braces is filled in by whether pg_trgm is there, and where.
--
-- Who may see and write what is decided here and nowhere else: row-level security by `members`, for the one who logged in
-- (`session_user`), so that nothing depends on the state of a connection that a pooler hands from one client to the next.

CREATE TABLE plimsoll.version (
    version integer NOT NULL,
    at      timestamptz NOT NULL DEFAULT now()
);

-- `project` is * for all projects and what is for everybody.
CREATE TABLE plimsoll.members (
    person  text NOT NULL,
    project text NOT NULL,
    role    text NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    PRIMARY KEY (person, project)
);

-- English stems, and no word is too common to be looked for. Texts come with their words already cut.
CREATE TEXT SEARCH DICTIONARY plimsoll.stem (TEMPLATE = pg_catalog.snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION plimsoll.words (PARSER = pg_catalog."default");
ALTER TEXT SEARCH CONFIGURATION plimsoll.words
    ADD MAPPING FOR asciiword, word, numword WITH plimsoll.stem;
ALTER TEXT SEARCH CONFIGURATION plimsoll.words
    ADD MAPPING FOR int, uint, float, sfloat, version WITH pg_catalog.simple;

CREATE TABLE plimsoll.memories (
    row           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id            text NOT NULL UNIQUE,
    place         text NOT NULL,          -- the project, or empty for what is for a person or everybody
    owner         text NOT NULL DEFAULT session_user,
    changed       xid8 NOT NULL DEFAULT pg_current_xact_id(),
    namespace     text NOT NULL,
    domain        text NOT NULL,
    status        text NOT NULL,
    project       text,
    created_ms    bigint NOT NULL,
    expires_ms    bigint,
    thread        bigint,
    branch        text,
    file          text,
    source        text,
    author        text,
    client        text,
    session       text,
    trust         text NOT NULL,
    version       bigint NOT NULL,
    updated_ms    bigint NOT NULL,
    tombstoned_ms bigint,
    hash          bytea NOT NULL,
    tags          text[] NOT NULL,
    content       text NOT NULL,
    own           tsvector NOT NULL,
    around        tsvector NOT NULL DEFAULT ''
);
CREATE INDEX memories_hash    ON plimsoll.memories (hash);
CREATE INDEX memories_thread  ON plimsoll.memories (thread, row) WHERE thread IS NOT NULL;
CREATE INDEX memories_place   ON plimsoll.memories (place, row);
CREATE INDEX memories_order   ON plimsoll.memories (created_ms, row);
CREATE INDEX memories_changed ON plimsoll.memories (place, changed, row);
CREATE INDEX memories_own     ON plimsoll.memories USING gin (own);
CREATE INDEX memories_around  ON plimsoll.memories USING gin (around);
{near_index}

CREATE TABLE plimsoll.changes (
    number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    memory      bigint NOT NULL REFERENCES plimsoll.memories(row) ON DELETE CASCADE,
    version     bigint NOT NULL,
    what        text NOT NULL,
    at_ms       bigint NOT NULL,
    person      text NOT NULL DEFAULT session_user,
    client      text,
    session     text,
    before      text,
    tags_before text[]
);
CREATE INDEX changes_memory ON plimsoll.changes (memory);

CREATE TABLE plimsoll.links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source bigint NOT NULL REFERENCES plimsoll.memories(row) ON DELETE CASCADE,
    target bigint NOT NULL REFERENCES plimsoll.memories(row) ON DELETE CASCADE,
    kind   text NOT NULL,
    at_ms  bigint NOT NULL,
    UNIQUE (source, target, kind)
);
CREATE INDEX links_target ON plimsoll.links (target);

-- What was removed for good, so that those who have a copy learn it.
CREATE TABLE plimsoll.purged (
    id      text PRIMARY KEY,
    place   text NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX purged_changed ON plimsoll.purged (place, changed);

CREATE FUNCTION plimsoll.reads() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
$$ SELECT coalesce(array_agg(project), '{}') FROM plimsoll.members WHERE person = session_user $$;

CREATE FUNCTION plimsoll.writes() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
$$ SELECT coalesce(array_agg(project), '{}') FROM plimsoll.members
   WHERE person = session_user AND role IN ('writer', 'admin') $$;

CREATE FUNCTION plimsoll.manages(wanted text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
$$ SELECT EXISTS (SELECT 1 FROM plimsoll.members
                  WHERE person = session_user AND role = 'admin' AND project IN ('*', wanted)) $$;

-- What is for everybody is read by every member, and written by those who write everywhere.
CREATE FUNCTION plimsoll.may_read(domain text, place text, owner text, projects text[]) RETURNS boolean LANGUAGE sql STABLE
    RETURN CASE WHEN domain = 'user' THEN owner = session_user
               ELSE '*' = ANY (projects) OR place = ANY (projects) OR (place = '' AND projects <> '{}') END;

CREATE FUNCTION plimsoll.may_write(domain text, place text, owner text, projects text[]) RETURNS boolean LANGUAGE sql STABLE
    RETURN CASE WHEN domain = 'user' THEN owner = session_user
               ELSE '*' = ANY (projects) OR (place <> '' AND place = ANY (projects)) END;

ALTER TABLE plimsoll.memories ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.memories FOR SELECT
    USING (plimsoll.may_read(domain, place, owner, (SELECT plimsoll.reads())));
CREATE POLICY made ON plimsoll.memories FOR INSERT
    WITH CHECK (plimsoll.may_write(domain, place, owner, (SELECT plimsoll.writes())));
CREATE POLICY changed ON plimsoll.memories FOR UPDATE
    USING (plimsoll.may_write(domain, place, owner, (SELECT plimsoll.writes())));
CREATE POLICY removed ON plimsoll.memories FOR DELETE
    USING (plimsoll.may_write(domain, place, owner, (SELECT plimsoll.writes())));

-- Whoever sees a memory sees its history and links; whoever may change it may add to them.
CREATE FUNCTION plimsoll.may_change(wanted bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS
$$ SELECT EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = wanted
                  AND plimsoll.may_write(m.domain, m.place, m.owner, plimsoll.writes())) $$;
ALTER TABLE plimsoll.changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.changes FOR SELECT
    USING (EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = memory));
CREATE POLICY made ON plimsoll.changes FOR INSERT WITH CHECK (plimsoll.may_change(memory));
ALTER TABLE plimsoll.links ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.links FOR SELECT
    USING (EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = links.source)
       AND EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = links.target));
CREATE POLICY made ON plimsoll.links FOR INSERT WITH CHECK (plimsoll.may_change(source));
ALTER TABLE plimsoll.purged ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.purged FOR SELECT
    USING (plimsoll.may_read('', place, '', (SELECT plimsoll.reads())));
CREATE POLICY made ON plimsoll.purged FOR INSERT
    WITH CHECK (plimsoll.may_write('', place, '', (SELECT plimsoll.writes())));
ALTER TABLE plimsoll.members ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.members FOR SELECT USING (person = session_user OR plimsoll.manages(project));

-- Giving and taking rights. The owner of the tables does it for whoever is an admin there.
CREATE FUNCTION plimsoll.admit(who text, wanted text, level text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    IF NOT plimsoll.manages(wanted) THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'only an admin may change who has which rights';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = who) THEN RETURN false; END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA plimsoll TO %I', who);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA plimsoll TO %I', who);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON plimsoll.memories TO %I', who);
    EXECUTE format('GRANT INSERT ON plimsoll.changes, plimsoll.links, plimsoll.purged TO %I', who);
    INSERT INTO plimsoll.members VALUES (who, wanted, level)
        ON CONFLICT (person, project) DO UPDATE SET role = excluded.role;
    RETURN true;
END $$;

CREATE FUNCTION plimsoll.dismiss(who text, wanted text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE gone boolean;
BEGIN
    IF NOT plimsoll.manages(wanted) THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'only an admin may change who has which rights';
    END IF;
    DELETE FROM plimsoll.members WHERE person = who AND project = wanted;
    gone := FOUND;
    IF gone AND NOT EXISTS (SELECT 1 FROM plimsoll.members WHERE person = who) THEN
        EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA plimsoll FROM %I', who);
        EXECUTE format('REVOKE USAGE ON SCHEMA plimsoll FROM %I', who);
    END IF;
    RETURN gone;
END $$;

-- What is looked for, from its spellings: each a row of words, or the beginning of one (`word*`).
CREATE FUNCTION plimsoll.query(spellings jsonb) RETURNS tsquery LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
    SELECT string_agg('(' || one::text || ')', ' | ')::tsquery FROM (
        SELECT CASE WHEN text LIKE '%*' THEN to_tsquery('plimsoll.words', quote_literal(left(text, -1)) || ':*')
                    ELSE phraseto_tsquery('plimsoll.words', text) END AS one
        FROM jsonb_array_elements_text(spellings) AS text
    ) AS all_of_them WHERE numnode(one) > 0
$$;

INSERT INTO plimsoll.members VALUES (session_user, '*', 'admin');
INSERT INTO plimsoll.version (version) VALUES (1);
