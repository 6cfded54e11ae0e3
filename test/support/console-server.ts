/** A server whose names and texts are injection attempts, for tests of the console. */
import { column, geometryColumn, wkt } from './feature-collections.ts';
import { setFill } from './maps.ts';
import { publishTables } from './published-features.ts';
import { ADMIN_PASSWORD, type TestServer } from './test-server.ts';
import { addUser } from './test-users.ts';

/** Would open a dialog, load something or break a template if it were interpreted as markup. */
export const MARKUP = `<img src=x onerror=alert(1)>"'\${alert(2)}`;

export const administrator = ['admin', ADMIN_PASSWORD] as const;

/** Its workspace and layer have names of few characters, because layers are also names of XML. */
export const shown = { workspace: 'city', layer: 'roads', title: `Roads ${MARKUP}` } as const;

export const SECRET_WORKSPACE = 'forestry-secret';

/** Returns the credentials of a user who administers only the first workspace. */
export async function furnishConsoleServer(server: TestServer): Promise<readonly string[]> {
  const attributes = [geometryColumn('Polygon'), column('name', 'string'), column('rank', 'integer')];
  const square = wkt('POLYGON ((0 0, 40 0, 40 40, 0 40, 0 0))');
  const rows = Array.from({ length: 60 }, (_, index) => [square, MARKUP, index] as const);
  await publishTables(server, shown.workspace, [{ name: shown.layer, attributes, rows }]);
  await publishTables(server, SECRET_WORKSPACE, [{ name: 'stands', attributes, rows: rows.slice(0, 1) }]);
  await setFill(server, shown.workspace, shown.layer, 'red', '#ff0000');
  await send(server, 'POST', '/workspaces', { workspace: { name: MARKUP } });
  await send(server, 'PUT', `/workspaces/${shown.workspace}/datastores/data/featuretypes/${shown.layer}`, {
    featureType: { title: shown.title, abstract: MARKUP, keywords: { string: [MARKUP] } },
  });
  const steward = await addUser(server, 'steward', 'CITY');
  await send(server, 'POST', '/security/acl/layers', {
    [`${shown.workspace}.*.a`]: 'CITY',
    [`${SECRET_WORKSPACE}.*.r`]: 'ROLE_ADMINISTRATOR',
  });
  return steward.split(':');
}

async function send(server: TestServer, method: string, path: string, document: object): Promise<void> {
  const { status, text } = await server.request(method, path, { type: 'json', body: JSON.stringify(document) });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
}

/** Adds layers of one feature type: as many as no client would publish in a test. */
export async function addManyLayers({ server: { storage } }: TestServer, count: number): Promise<void> {
  const [layer] = await storage.listOfKind('layer', undefined, 1);
  if (layer === undefined) throw new Error('The server has no layer to copy');
  await storage.write({ who: 'tester', what: 'add many layers' }, async (transaction) => {
    for (let index = 0; index < count; index += 1) {
      const name = `copy_${String(index).padStart(6, '0')}`;
      const keys = { qualifiedName: [`${String(layer.body['workspace'])}/${name}`] };
      await transaction.insert({ kind: 'layer', parent: layer.parent, name, body: layer.body, keys });
    }
  });
}
