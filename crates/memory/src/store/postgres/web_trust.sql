-- Version 4: what was captured from a web page before that lowered its trust is untrusted as well. Those who have a copy learn it as a change.

UPDATE plimsoll.memories SET trust = 'untrusted', changed = pg_current_xact_id()
WHERE trust <> 'untrusted' AND source ~* 'https?://';

INSERT INTO plimsoll.version (version) VALUES (4);
