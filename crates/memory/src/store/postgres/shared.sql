-- Version 2: what a team shares beside memories, and what each memory speaks of. Rights are those of version 1.

-- A version of a prompt, an entity, a relation or a link, by its key: what was said last counts. `body` is empty where it was deleted.
CREATE TABLE plimsoll.records (
    row     bigint GENERATED ALWAYS AS IDENTITY,
    place   text COLLATE "C" NOT NULL,
    what    text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    body    text COLLATE "C",
    at_ms   bigint NOT NULL,
    person  text NOT NULL DEFAULT session_user,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (place, what, key)
);
CREATE INDEX records_changed ON plimsoll.records (place, changed, row);
ALTER TABLE plimsoll.records ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.records FOR SELECT
    USING (plimsoll.may_read('', place, '', (SELECT plimsoll.reads())));
CREATE POLICY made ON plimsoll.records FOR INSERT
    WITH CHECK (plimsoll.may_write('', place, '', (SELECT plimsoll.writes())));
CREATE POLICY changed ON plimsoll.records FOR UPDATE
    USING (plimsoll.may_write('', place, '', (SELECT plimsoll.writes())));

CREATE TABLE plimsoll.mentions (
    name   text COLLATE "C" NOT NULL,
    memory bigint NOT NULL REFERENCES plimsoll.memories(row) ON DELETE CASCADE,
    PRIMARY KEY (name, memory)
);
CREATE INDEX mentions_memory ON plimsoll.mentions (memory);
ALTER TABLE plimsoll.mentions ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.mentions FOR SELECT
    USING (EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = memory));
CREATE POLICY made ON plimsoll.mentions FOR INSERT WITH CHECK (plimsoll.may_change(memory));
CREATE POLICY removed ON plimsoll.mentions FOR DELETE USING (plimsoll.may_change(memory));

-- Giving rights, as before, with the new tables.
CREATE OR REPLACE FUNCTION plimsoll.admit(who text, wanted text, level text) RETURNS boolean
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
    EXECUTE format('GRANT INSERT, UPDATE ON plimsoll.records TO %I', who);
    EXECUTE format('GRANT INSERT, DELETE ON plimsoll.mentions TO %I', who);
    INSERT INTO plimsoll.members VALUES (who, wanted, level)
        ON CONFLICT (person, project) DO UPDATE SET role = excluded.role;
    RETURN true;
END $$;

-- Who owned the tables owns the new ones, too; who had rights has them there as well.
DO $$
DECLARE
    owner text := (SELECT tableowner FROM pg_tables WHERE schemaname = 'plimsoll' AND tablename = 'memories');
    who   text;
BEGIN
    FOR who IN SELECT DISTINCT m.person FROM plimsoll.members m JOIN pg_roles r ON r.rolname = m.person LOOP
        EXECUTE format('GRANT SELECT ON plimsoll.records, plimsoll.mentions TO %I', who);
        EXECUTE format('GRANT INSERT, UPDATE ON plimsoll.records TO %I', who);
        EXECUTE format('GRANT INSERT, DELETE ON plimsoll.mentions TO %I', who);
    END LOOP;
    IF owner <> current_user THEN
        EXECUTE format('ALTER TABLE plimsoll.records OWNER TO %I', owner);
        EXECUTE format('ALTER TABLE plimsoll.mentions OWNER TO %I', owner);
    END IF;
END $$;

INSERT INTO plimsoll.version (version) VALUES (2);
