/** kill -9 during the migration of an older data directory: the next start completes it. */
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordings, unpackDataDirectory } from './older-data-directories.ts';
import { launchServer, startServer } from './started-server.ts';

const KILLS = Number(process.env['TAKE_OVER_KILLS'] ?? 3);
const TIMEOUT_MS = 1_200_000;

/** Later versions store files under their hash already. */
const migrated = recordings.filter(({ version }) => version === '0.1.0');

test.each(migrated)(
  'an older data directory survives kills at its first start',
  { timeout: TIMEOUT_MS },
  async (recording) => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const dataDir = await unpackDataDirectory(recording);
      const first = launchServer({ dataDir, password: null });
      await appears(join(dataDir, kill % 3 === 0 ? 'blobs' : kill % 3 === 1 ? 'sets' : 'blobs/taken-over'));
      first.signal('SIGKILL');
      await first.ended();

      const second = await startServer({ dataDir, password: null });

      expect(await readdir(join(dataDir, 'staging'))).toEqual([]);
      expect((await readdir(join(dataDir, 'data'))).toSorted()).toEqual(['pack.gpkg', 'shared']);
      const names = await second.request('GET', '/workspaces/acme/datastores/roads/featuretypes.json?list=all');
      expect(names.json()).toEqual({ list: { string: ['roads'] } });
      expect((await second.request('GET', '/styles/older.sld')).status).toBe(200);
      await second.stop();
    }
  },
);

async function appears(path: string): Promise<void> {
  for (;;) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
