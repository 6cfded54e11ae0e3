/** Stores of MySQL and MariaDB are moved with their parameters; those that refer to JNDI are reported. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { dataStoreXml, workspaceFiles } from '../../../test/support/source-directories/documents.ts';
import { listen, runMoveIn } from '../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { writeDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();
const folder = useTemporaryFolder('move-in-mysql');
let url: string;
beforeAll(async () => {
  url = await listen(server);
});

it('a store of MySQL arrives with its parameters, and one with a JNDI resource is reported', async () => {
  const store = (name: string, type: string, parameters: Readonly<Record<string, string>>) => ({
    [`workspaces/odd/${name}/datastore.xml`]: dataStoreXml({ workspace: 'odd', name, type, parameters }),
  });
  const address = { host: 'db.example', port: '3306', database: 'gis', user: 'reader', passwd: 'plain:canary' };
  const source = await writeDirectory(await mkdtemp(join(folder, 'source-')), {
    ...createSampleDirectory(),
    ...workspaceFiles('odd'),
    ...store('mysql', 'MySQL', { dbtype: 'mysql', ...address, 'storage engine': 'InnoDB', 'max connections': '7' }),
    ...store('mariadb', 'MariaDB', { dbtype: 'mariadb', ...address }),
    ...store('pooled', 'MySQL (JNDI)', { dbtype: 'mysql', jndiReferenceName: 'java:comp/env/jdbc/roads' }),
  });

  const { report } = await runMoveIn(url, [source, '--yes']);

  const unsupported = report.entries.filter(({ code }) => code === 'store-type-unsupported');
  const moved = (await server.get('/workspaces/odd/datastores/mysql.json')).json();
  const other = (await server.get('/workspaces/odd/datastores/mariadb.json')).json();
  expect(unsupported.map(({ source: file }) => file)).toEqual(['workspaces/odd/pooled/datastore.xml']);
  expect(moved).toMatchObject({ dataStore: { name: 'mysql', type: 'MySQL' } });
  expect(JSON.stringify(moved)).toContain('db.example');
  expect(JSON.stringify(moved)).not.toContain('canary');
  expect(other).toMatchObject({ dataStore: { name: 'mariadb', type: 'MySQL' } });
});
