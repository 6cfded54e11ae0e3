/** Purges on one node beside uploads on another, and what becomes of the copies that other nodes have. */
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const ROUNDS = 40;

async function startNodes(
  postgis: Pick<PostgisUnderTest, 'connection'>,
  schema: string,
  flags: readonly string[] = [],
): Promise<readonly [TestServer, TestServer]> {
  const start = async () => {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, schema), ...flags],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
    });
    onTestFinished(() => node.close());
    return node;
  };
  return [await start(), await start()];
}

function createStyle(node: TestServer, name: string, content: string) {
  return node.request('POST', `/styles?name=${name}`, {
    type: 'application/vnd.graticule.geocss+css',
    body: content,
  });
}

describeWithPostgis('purges on several nodes', (postgis) => {
  test.each([
    ['in the database', async () => []],
    ['in a shared directory', async () => ['--blobs', await temporaryFolder()]],
  ])(
    'a style whose content another node purges at the same time keeps it, with files %s',
    async (where, flags) => {
      const [one, other] = await startNodes(postgis, where.replaceAll(' ', '_'), await flags());
      const lost: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const content = `/* round ${round} */ * { stroke: navy; }`;
        expect((await createStyle(one, `old${round}`, content)).status).toBe(201);

        const [purged, created] = await Promise.all([
          one.request('DELETE', `/styles/old${round}?purge=true`),
          createStyle(other, `new${round}`, content),
        ]);

        expect([purged.status, created.status]).toEqual([200, 201]);
        for (const node of [one, other]) {
          const read = await node.get(`/styles/new${round}.css`);
          if (read.status !== 200 || read.text !== content) lost.push(`new${round}: ${read.status}`);
        }
      }
      expect(lost).toEqual([]);
    },
    120_000,
  );
});
