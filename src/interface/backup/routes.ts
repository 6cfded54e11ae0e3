/** The route of backups: one archive of the whole server. */
import { createFlagParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { BACKUP_TYPE } from '../../lib/backup/format.ts';
import { readPassphrase } from '../common/passphrase.ts';
import { family, getStream, type Services } from '../common/services.ts';

const since: QueryParameter<string | null> = {
  description: 'Return only what the backup with this id does not contain.',
  schema: { type: 'string', examples: ['0'.repeat(64)] },
  expected: 'the id of a backup, 64 hexadecimal digits',
  parse: (value) => (/^[0-9a-f]{64}$/.test(value) ? value : undefined),
  absent: null,
};

export function backupRoutes(): RouteTable<Services> {
  return family(
    'Backup',
    { description: 'Backups of the whole server.', formats: ['json'], formatGroup: 'additions' },
    [
      getStream(
        '/backup',
        'Back up the whole server while it runs; the header Graticule-Passphrase encrypts the archive',
        {
          mediaType: BACKUP_TYPE,
          confidential: true,
          rejectsUnknownQuery: true,
          query: { tiles: createFlagParameter('Include cached tiles.'), since },
          problems: ['backup-running', 'backup-file-locked', 'backup-unknown', 'query-invalid', 'storage-full'],
        },
        async ({ services, query, sent, signal }) => {
          const { pieces } = await services.backups.start({
            passphrase: readPassphrase(sent.headers),
            includeTiles: query.tiles,
            since: query.since ?? undefined,
            signal: signal(),
          });
          return pieces;
        },
      ),
    ],
  );
}
