-- Vectors of memories, on a server with pgvector; no version of their own, because nothing else depends on them. The
-- braces stand for the extension's schema.

CREATE TABLE plimsoll.vectors (
    memory bigint NOT NULL REFERENCES plimsoll.memories(row) ON DELETE CASCADE,
    model  text COLLATE "C" NOT NULL,
    hash   bytea NOT NULL,          -- of the text that it was made from
    vector {vector}.vector NOT NULL,
    PRIMARY KEY (memory, model)
);
ALTER TABLE plimsoll.vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON plimsoll.vectors FOR SELECT
    USING (EXISTS (SELECT 1 FROM plimsoll.memories m WHERE m.row = memory));
CREATE POLICY made ON plimsoll.vectors FOR INSERT WITH CHECK (plimsoll.may_change(memory));
CREATE POLICY changed ON plimsoll.vectors FOR UPDATE USING (plimsoll.may_change(memory));
-- Only members may use the schema, and the policies say which rows are theirs.
GRANT SELECT, INSERT, UPDATE ON plimsoll.vectors TO PUBLIC;

CREATE FUNCTION plimsoll.as_vector(numbers real[]) RETURNS {vector}.vector LANGUAGE sql IMMUTABLE STRICT
    RETURN numbers::{vector}.vector;

-- The nearest visible memories to a question. It runs as the owner, as plimsoll.rated does, and asks for itself who may
-- read what: policies would be checked for every vector.
CREATE FUNCTION plimsoll.nearest(
    asked real[], of_model text, everywhere boolean, here text, states text[], gone boolean, now_ms bigint, most bigint
) RETURNS TABLE (key bigint, cosine float8) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    WITH question AS MATERIALIZED (SELECT asked::{vector}.vector AS vector, plimsoll.reads() AS mine),
    -- Vectors of another length aren't comparable, so they go before anything is compared.
    comparable AS MATERIALIZED (
        SELECT m.row, v.vector FROM question q, plimsoll.vectors v
        JOIN plimsoll.memories m ON m.row = v.memory AND m.hash = v.hash
        WHERE v.model = of_model AND {vector}.vector_dims(v.vector) = cardinality(asked)
          AND (everywhere OR m.place IN ('', here))
          AND m.status = ANY (states) AND (gone IS NULL OR gone = coalesce(m.expires_ms <= now_ms, false))
          AND plimsoll.may_read(m.domain, m.place, m.owner, q.mine)
    )
    SELECT c.row, 1 - (c.vector OPERATOR({vector}.<=>) q.vector) FROM comparable c, question q
    ORDER BY c.vector OPERATOR({vector}.<=>) q.vector LIMIT most
$$;

DO $$
DECLARE
    owner text := (SELECT tableowner FROM pg_tables WHERE schemaname = 'plimsoll' AND tablename = 'memories');
BEGIN
    IF owner <> current_user THEN
        EXECUTE format('ALTER TABLE plimsoll.vectors OWNER TO %I', owner);
        EXECUTE format('ALTER FUNCTION plimsoll.as_vector OWNER TO %I', owner);
        EXECUTE format('ALTER FUNCTION plimsoll.nearest OWNER TO %I', owner);
    END IF;
END $$;
