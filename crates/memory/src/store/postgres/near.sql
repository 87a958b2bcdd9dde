            -- A word that nobody wrote may be a mistyped one.
            IF cardinality(keys) = 0 AND length(terms -> i ->> 'near') > 3 THEN
                FOR key, of_thread, fit IN EXECUTE
                    'SELECT m.row, m.thread, 0.05 * {trgm}.word_similarity($1, lower(left(m.content, 200)))
                     FROM plimsoll.memories m WHERE $1 OPERATOR({trgm}.<%) lower(left(m.content, 200)) AND ' || visible ||
                    ' ORDER BY m.row DESC LIMIT least($6, 50)'
                    USING terms -> i ->> 'near', states, gone, now_ms, mine, most, place
                LOOP
                    term := i; beside := false;
                    RETURN NEXT;
                END LOOP;
            END IF;
