-- Version 3: what all terms of a question have in common is found among very many memories, too.

-- How well each term fits which memories. `term` counts from 0; `beside` says that it fits what was captured around the memory.
--
-- It runs as the owner, because a condition on words is not leakproof: under row-level security it could use no index. So it
-- asks for itself who may read what.
CREATE OR REPLACE FUNCTION plimsoll.rated(
    terms jsonb, everywhere boolean, here text, states text[], gone boolean, now_ms bigint, most bigint
) RETURNS TABLE (term integer, beside boolean, key bigint, of_thread bigint, fit real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    mine text[] := plimsoll.reads();
    -- What is for a person or everybody has no place: two looks, each of which an index has in the order of the rows.
    places text[] := CASE WHEN everywhere THEN ARRAY[NULL] WHEN here = '' THEN ARRAY[''] ELSE ARRAY[here, ''] END;
    place text;
    visible constant text := 'm.status = ANY ($2) AND ($3 IS NULL OR $3 = coalesce(m.expires_ms <= $4, false))
        AND ($7 IS NULL OR m.place = $7) AND plimsoll.may_read(m.domain, m.place, m.owner, $5)';
    wanted tsquery;
    -- By term; none where nothing is left of a term.
    all_wanted tsquery[] := '{}';
    -- Sums of weights above 1 are not allowed: what is around counts a quarter more in the end.
    own_weights real[] := '{0.5, 0.5, 1.0, 0.85}';
    around_weights real[] := '{0.36, 0.48, 0.64, 1.0}';
    found bigint[] := '{}';
    keys bigint[];
    i integer;
    full_terms integer[] := '{}';
    -- Found by several very common terms together, and how many at most.
    together constant bigint := 100;
    several tsquery;
    pair integer[];
BEGIN
    FOR i IN 0 .. jsonb_array_length(terms) - 1 LOOP
        wanted := plimsoll.query(terms -> i -> 'spellings');
        all_wanted[i] := wanted;
        CONTINUE WHEN wanted IS NULL;
        keys := '{}';
        FOREACH place IN ARRAY places LOOP
            -- How well each fits is worked out for those alone that are left.
            FOR key, of_thread, fit IN EXECUTE
                'SELECT s.row, s.thread, ts_rank($8, s.own, $1, 1) FROM (SELECT m.row, m.thread, m.own FROM plimsoll.memories m WHERE '
                || visible || ' AND m.own @@ $1 ORDER BY m.row DESC LIMIT $6) AS s'
                USING wanted, states, gone, now_ms, mine, most, place, own_weights
            LOOP
                term := i; beside := false; keys := keys || key;
                RETURN NEXT;
            END LOOP;
            FOR key, of_thread, fit IN EXECUTE
                'SELECT s.row, s.thread, 1.25 * ts_rank($8, s.around, $1, 1) FROM (SELECT m.row, m.thread, m.around FROM plimsoll.memories m WHERE '
                || visible || ' AND m.around @@ $1 ORDER BY m.row DESC LIMIT $6) AS s'
                USING wanted, states, gone, now_ms, mine, most, place, around_weights
            LOOP
                term := i; beside := true;
                RETURN NEXT;
            END LOOP;
            {near}
        END LOOP;
        IF cardinality(keys) >= most THEN full_terms := full_terms || i; ELSE found := found || keys; END IF;
    END LOOP;
    -- Where every term is in very many memories, the newest with one of them are hardly those that have most of them: so the newest
    -- with all of them are looked for, then those with two.
    IF cardinality(found) = 0 AND cardinality(full_terms) > 1 THEN
        FOR pair IN
            SELECT full_terms UNION ALL
            SELECT * FROM (
                SELECT ARRAY[full_terms[one], full_terms[other]]
                FROM generate_series(1, least(cardinality(full_terms), 3)) one, generate_series(1, least(cardinality(full_terms), 3)) other
                WHERE one < other AND cardinality(full_terms) > 2 ORDER BY one, other
            ) pairs
        LOOP
            EXIT WHEN cardinality(found) >= together;
            several := NULL;
            FOREACH i IN ARRAY pair LOOP
                several := CASE WHEN several IS NULL THEN all_wanted[i] ELSE several && all_wanted[i] END;
            END LOOP;
            FOREACH place IN ARRAY places LOOP
                EXECUTE 'SELECT coalesce(array_agg(s.row), ''{}'') FROM (SELECT m.row FROM plimsoll.memories m WHERE '
                    || visible || ' AND m.own @@ $1 ORDER BY m.row DESC LIMIT $6) AS s'
                    INTO keys USING several, states, gone, now_ms, mine, together, place;
                found := found || keys;
            END LOOP;
        END LOOP;
    END IF;
    -- What is in very many memories is asked again of those that rarer terms have brought, or several together.
    IF cardinality(found) > 0 THEN
        FOREACH i IN ARRAY full_terms LOOP
            wanted := all_wanted[i];
            FOR key, of_thread, fit IN
                SELECT m.row, m.thread, ts_rank(own_weights, m.own, wanted, 1) FROM plimsoll.memories m
                WHERE m.row = ANY (found) AND m.own @@ wanted
            LOOP
                term := i; beside := false;
                RETURN NEXT;
            END LOOP;
        END LOOP;
    END IF;
END $$;

INSERT INTO plimsoll.version (version) VALUES (3);
