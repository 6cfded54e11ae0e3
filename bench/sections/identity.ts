/** The cost of tokens and of data rules. */
import { join } from 'node:path';
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import {
  parcelsStore,
  publish,
  TABLE,
  tableStore,
  uploadParcels,
  WORKSPACE,
  withLargeTable,
  writeParcels,
} from '../feature-data.ts';
import { measureRuleIndex } from '../rule-index.ts';
import { compareRequests, compareTimes, type Request, sendDocument } from '../rule-requests.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { type Bench, SMALL, thousands } from './section.ts';

const ROWS = 1_000_000;
const PARCELS = 10_000;
const RULES = 1_000;
const UPLOADED = 'uploaded';
const MAX_TOKEN_MICROSECONDS = 5;
const MAX_RATIO = 1.1;
const MAX_COMPILE_MICROSECONDS = 20;

const toBasic = (user: string): string => `Basic ${Buffer.from(`${user}:secret`).toString('base64')}`;

export async function benchIdentity(bench: Bench): Promise<void> {
  if (bench.isChosen('tokens')) await benchTokens(bench);
  if (bench.isChosen('rules')) await benchRuleIndex(bench);
  if (bench.isChosen('tiles')) await benchTiles(bench);
  if (bench.isChosen('rows')) await benchRows(bench);
}

async function benchTokens({ report, seeded }: Bench): Promise<void> {
  const server = await startServerChild(await seeded(SMALL));
  const { token } = (await sendDocument(server, '/security/self/tokens', {
    token: { name: 'bench', scopes: { admin: true, readOnly: true } },
  })) as { token: { secret: string } };
  const url = `${server.restUrl}/workspaces/seed.json`;
  const cost = await compareRequests(
    server,
    { url, headers: { authorization: `Bearer ${token.secret}` } },
    { url, headers: { authorization } },
  );
  const more = cost.oursMicroseconds - cost.otherMicroseconds;
  report.add({
    what: 'GET with a token',
    measured: `${cost.oursMicroseconds.toFixed(1)} µs`,
    baseline: `${cost.otherMicroseconds.toFixed(1)} µs (remembered password)`,
    ratio: `${more.toFixed(1)} µs more`,
    aim: `at most ${MAX_TOKEN_MICROSECONDS} µs more`,
    met: more <= MAX_TOKEN_MICROSECONDS,
  });
  await server.stop();
}

/** Without a server: binding the rules of a layer, and finding them again. */
async function benchRuleIndex({ report }: Bench): Promise<void> {
  for (const count of [RULES, 10 * RULES]) {
    const { firstMicroseconds, laterMicroseconds } = measureRuleIndex(count);
    report.add({
      what: `find and bind the rules of a layer out of ${thousands(count)}, p50`,
      measured: `${firstMicroseconds.toFixed(1)} µs at first, then ${laterMicroseconds.toFixed(2)} µs`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${MAX_COMPILE_MICROSECONDS} µs`,
      met: Math.max(firstMicroseconds, laterMicroseconds) <= MAX_COMPILE_MICROSECONDS,
    });
  }
}

async function benchTiles({ report, directory }: Bench): Promise<void> {
  const dataDir = join(await directory(), 'data-directory');
  const server = await startServerChild(dataDir);
  const path = await writeParcels(dataDir, PARCELS);
  await publish(server, [parcelsStore()]);
  await uploadParcels(server, path, UPLOADED);
  await uploadParcels(server, path, `${UPLOADED}2`);
  await addRule(server, `${WORKSPACE}:${UPLOADED}2`, { rows: 'id < 5000' });
  const toTile = (layer: string): Request => ({
    url: `${server.origin}/geoserver/gwc/service/wmts/rest/${WORKSPACE}:${layer}/EPSG:900913/0/0/0?format=image/png`,
    headers: {},
  });
  const cost = await compareRequests(server, toTile(`${UPLOADED}2`), toTile(UPLOADED));
  report.add(formatRatio('a cached tile with a data rule', cost, 'the same tile without rules'));
  await server.stop();
}

async function benchRows({ report, directory }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('features of PostGIS with a data rule', 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    await withLargeTable({ ...connection, database: template }, ROWS, async (database) => {
      const server = await startServerChild(join(await directory(), 'data-directory'));
      await publish(server, [tableStore(database)]);
      await addUser(server, 'ann', 'FIELD');
      await addRule(server, `${WORKSPACE}:${TABLE}`, { roles: ['FIELD'], rows: 'kind = 3 AND NOT (name IS NULL)' });
      const page = `${server.origin}/geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=${WORKSPACE}:${TABLE}&outputFormat=application/json&count=1000`;
      const filter = encodeURIComponent('kind = 3 AND NOT (name IS NULL)');
      const cost = await compareTimes(
        { url: page, headers: { authorization: toBasic('ann') } },
        { url: `${page}&cql_filter=${filter}`, headers: { authorization } },
      );
      report.add(
        formatRatio(
          `a page of 1,000 out of ${thousands(ROWS)} rows of PostGIS with a rule`,
          cost,
          'the filter by hand',
        ),
      );
      await server.stop();
    });
  } finally {
    await postgis.stop();
  }
}

function formatRatio(what: string, cost: Awaited<ReturnType<typeof compareRequests>>, called: string) {
  return {
    what,
    measured: `${cost.oursMicroseconds.toFixed(0)} µs`,
    baseline: `${cost.otherMicroseconds.toFixed(0)} µs (${called})`,
    ratio: cost.ratio.toFixed(2),
    aim: `ratio at most ${MAX_RATIO}`,
    met: cost.ratio <= MAX_RATIO,
  };
}

async function addRule(server: ServerChild, layer: string, fields: object): Promise<void> {
  await sendDocument(server, '/security/acl/data', { dataRule: { name: 'bench', layer, roles: ['*'], ...fields } });
}

async function addUser(server: ServerChild, userName: string, role: string): Promise<void> {
  await sendDocument(server, '/security/usergroup/users', { user: { userName, password: 'secret', enabled: true } });
  await sendDocument(server, `/security/roles/role/${role}`);
  await sendDocument(server, `/security/roles/role/${role}/user/${userName}`);
}
