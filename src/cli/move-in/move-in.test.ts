/** Moves generated data directories to a server, and checks what arrives, the report and the exit codes. */
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DirectoryFiles } from '../../../test/support/source-directories/documents.ts';
import { createDanglingFiles, createUnsupportedFiles } from '../../../test/support/source-directories/faults.ts';
import { listen, type MoveReport, runMoveIn } from '../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { CANARY, createSecurityFiles, storedPassword } from '../../../test/support/source-directories/security.ts';
import { createSettingsFiles } from '../../../test/support/source-directories/settings.ts';
import { packDirectory, writeDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readArchivedDocument } from '../commands/archive.ts';

const server = useTestServer();
const folder = useTemporaryFolder('move-in');
let url: string;
beforeAll(async () => {
  url = await listen(server);
});

async function createSource(files: DirectoryFiles = createSampleDirectory()): Promise<string> {
  return writeDirectory(await mkdtemp(join(folder, 'source-')), files);
}

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function readConfiguration() {
  const reply = await server.get('/configuration');
  const { hash, resources } = reply.json() as { readonly hash: string; readonly resources: readonly Resource[] };
  return { hash, fieldsOf: (path: string) => resources.find((resource) => resource.path === path)?.fields };
}

function listCodes({ entries }: MoveReport, outcomes: readonly string[] = ['skipped', 'adapted']) {
  return entries.filter(({ outcome }) => outcomes.includes(outcome)).map(({ source, code }) => `${source} ${code}`);
}

async function undo(change: number | null): Promise<void> {
  const undone = await server.request('POST', `/history/${change}/undo`);
  expect(undone.status, undone.text).toBe(200);
}

describe('a whole data directory', () => {
  it('is imported as one change, which a second run leaves unchanged and an undo reverts', async () => {
    const source = await createSource({
      ...createSampleDirectory(),
      ...createSettingsFiles(),
      ...createSecurityFiles(),
      ...createUnsupportedFiles(),
      ...createDanglingFiles(),
    });
    const before = await readConfiguration();

    const first = await runMoveIn(url, [source, '--yes']);
    const features = await server.get(
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:towns&outputFormat=application/json',
    );
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=base&styles=&srs=EPSG:4326&bbox=0,0,2,1&width=10&height=10&format=image/png',
    );
    const logins = await Promise.all(
      ['paula:plain', 'wim:weak', 'stella:strong', 'dora:digest', 'otto:off', 'emil:'].map(async (text) => {
        const [name, password] = text.split(':');
        return [
          name,
          (await server.get('/about/version.json', { as: `${name}:${CANARY} ${password}` })).status,
        ] as const;
      }),
    );
    const second = await runMoveIn(url, [source, '--yes']);
    const arrived = await readConfiguration();
    await undo(first.report.change);

    expect(first.err).toBe('');
    expect(first.code).toBe(5);
    expect(first.report.summary.imported).toMatchObject({
      workspace: 4,
      dataStore: 5,
      coverageStore: 1,
      featureType: 5,
      coverage: 1,
      layer: 6,
      layerGroup: 4,
      style: 6,
      tileLayer: 2,
      gridSet: 1,
      user: 7,
      role: 3,
      accessRules: 3,
      globalSettings: 1,
      loggingSettings: 1,
    });
    expect(
      (features.json() as { features: { properties: object }[] }).features.map(({ properties }) => properties),
    ).toEqual([
      { name: 'place 1', rank: 1, seen: '2026-01-02' },
      { name: 'place 2', rank: 2, seen: '2026-01-02' },
    ]);
    expect(map.headers['content-type']).toBe('image/png');
    expect(Object.fromEntries(logins)).toEqual({ paula: 200, wim: 403, stella: 403, dora: 403, otto: 401, emil: 401 });
    expect(second.report.plan).toMatchObject({ create: 0, update: 0, delete: 0 });
    expect(second.report.change).toBeNull();
    expect(arrived.fieldsOf('/workspaces/acme/layers/towns')).toMatchObject({
      defaultStyle: { name: 'dots' },
      styles: { style: [{ name: 'line' }, { name: 'acme:local', workspace: 'acme' }] },
    });
    expect(arrived.fieldsOf('/layergroups/base')).toMatchObject({
      publishables: {
        published: [
          { '@type': 'layer', name: 'acme:towns' },
          { '@type': 'layer', name: 'acme:heights' },
          { '@type': 'layerGroup', name: 'acme:near' },
        ],
      },
      styles: { style: [{ name: 'line' }, '', ''] },
    });
    expect(arrived.fieldsOf('/workspaces/acme/tilelayers/towns')).toMatchObject({
      gutter: 10,
      metaWidthHeight: [4, 4],
    });
    expect(arrived.fieldsOf('/security/acl/layers')).toEqual({
      rules: [
        { rule: '*.*.r', roles: ['*'] },
        { rule: 'acme.towns.w', roles: ['ADMIN', 'EDITOR'] },
        { rule: 'side\\.car.*.r', roles: ['READER', 'UNKNOWN'] },
      ],
    });
    expect(arrived.fieldsOf('/security/roles/role/READER')).toEqual({ users: ['wim'], groups: ['crew'] });
    expect((await readConfiguration()).hash).toBe(before.hash);
  });

  it('gets one entry for each part that is skipped or adapted', async () => {
    const source = await createSource({
      ...createSampleDirectory(),
      ...createUnsupportedFiles(),
      ...createDanglingFiles(),
    });

    const { report } = await runMoveIn(url, [source, '--dry-run']);

    expect(listCodes(report)).toEqual([
      'layergroups/empty.xml group-empty',
      'layergroups/empty.xml group-member-skipped',
      'layergroups/partly.xml group-member-skipped',
      'layergroups/partly.xml group-member-skipped',
      'layergroups/ring1.xml group-empty',
      'layergroups/ring2.xml group-empty',
      'styles/gone.xml style-content-missing',
      'styles/yellow.xml style-format-unsupported',
      'workspaces/acme/archive/measured/featuretype.xml data-unavailable',
      'workspaces/lost/orphan/datastore.xml reference-dangling',
      'workspaces/lost/roads/bare/featuretype.xml data-unavailable',
      'workspaces/lost/roads/bare/featuretype.xml layer-missing',
      'workspaces/lost/roads/datastore.xml data-missing',
      'workspaces/lost/roads/roads/featuretype.xml data-unavailable',
      'workspaces/lost/roads/roads/layer.xml style-dangling',
      'workspaces/lost/roads/roads/layer.xml style-replaced',
      'workspaces/lost/roads/slash/featuretype.xml name-invalid',
      'workspaces/lost/roads/slash/layer.xml parent-skipped',
      'workspaces/lost/roads/stray/featuretype.xml reference-dangling',
      'workspaces/odd/grid/coveragestore.xml store-type-unsupported',
      'workspaces/odd/grid/grid/coverage.xml parent-skipped',
      'workspaces/odd/grid/grid/layer.xml parent-skipped',
      'workspaces/odd/jndi/datastore.xml store-type-unsupported',
      'workspaces/odd/oracle/datastore.xml store-type-unsupported',
      'workspaces/odd/outside/datastore.xml path-outside-source',
      'workspaces/odd/placeholder/datastore.xml environment-placeholder',
      'workspaces/odd/placeholder/datastore.xml environment-placeholder',
      'workspaces/odd/remote/wmsstore.xml url-check-missing',
      'workspaces/odd/windows/datastore.xml path-foreign',
      'workspaces/without workspace-file-missing',
      'www static-files',
    ]);
    expect(listCodes(report, ['ignored'])).toEqual([
      'README.txt not-configuration',
      'data/notes/readme.pdf not-configuration',
      'demo not-configuration',
      'global.xml not-configuration',
      'logs not-configuration',
      'styles/dots.sld.bak not-configuration',
      'workspaces/acme/notes.txt file-unused',
    ]);
  });

  it('names settings, tile settings and definitions without an equivalent', async () => {
    const source = await createSource({ ...createSampleDirectory(), ...createSettingsFiles() });

    const { report } = await runMoveIn(url, [source, '--dry-run']);

    expect(listCodes(report)).toEqual([
      'global.xml#featureTypeCacheSize setting-ignored',
      'gwc-layers/gone.xml parent-skipped',
      'gwc/geowebcache.xml#empty grid-set-unsupported',
      'palettes/safe.pal palette-unsupported',
      'user_projections/epsg.properties#4326 projection-unsupported',
      'wms.xml#citeCompliant setting-ignored',
      'workspaces/acme/archive/measured/featuretype.xml data-unavailable',
      'workspaces/acme/settings.xml#title setting-ignored',
      'wps.xml service-unsupported',
      'www static-files',
    ]);
  });

  it('loses only what the target rejects, and keeps styles with errors', async () => {
    const source = await createSource({
      ...createSampleDirectory(),
      'styles/simple.css': '* { stroke: [unfinished',
      'security/urlchecks.xml':
        '<checks><regex><name>open</name><regex>(</regex><enabled>true</enabled></regex></checks>',
      'workspaces/acme/towns/towns/content.ftl': '<#list features as f>',
    });

    const { report, err } = await runMoveIn(url, [source, '--dry-run']);

    expect(err).toBe('');
    expect(listCodes(report)).toEqual(
      expect.arrayContaining([
        'security/urlchecks.xml#open target-rejected',
        'styles/simple.xml style-content-invalid',
        'workspaces/acme/towns/towns/content.ftl target-rejected',
      ]),
    );
    expect(report.plan).not.toBeNull();
  });
});

describe('an unknown CRS', () => {
  it('loses the field that names it, and nothing that refers to the resource', async () => {
    const files = createSampleDirectory();
    const replaceCode = (name: string, code: string) => ({ [name]: String(files[name]).replaceAll('EPSG:4326', code) });
    const source = await createSource({
      ...files,
      ...replaceCode('workspaces/acme/towns/towns/featuretype.xml', 'EPSG:999999'),
      ...replaceCode('layergroups/base.xml', 'EPSG:999998'),
      ...replaceCode('layergroups/older.xml', 'EPSG:404000'),
    });

    const { report } = await runMoveIn(url, [source, '--dry-run']);

    expect(listCodes(report)).toEqual([
      'layergroups/base.xml crs-unknown',
      'workspaces/acme/archive/measured/featuretype.xml data-unavailable',
      'workspaces/acme/towns/towns/featuretype.xml crs-unknown',
      'www static-files',
    ]);
    expect(report.plan).toMatchObject({ create: 25 });
  });
});

describe('exit codes', () => {
  /** A directory without anything that is skipped. */
  function createCleanFiles(): DirectoryFiles {
    const files = createSampleDirectory();
    return Object.fromEntries(Object.entries(files).filter(([name]) => !/^www\/|acme\/archive\//.test(name)));
  }

  it('is 0 if nothing is skipped; a dry run changes nothing', async () => {
    const before = await readConfiguration();

    const { code, out, err } = await runMoveIn(url, [await createSource(createCleanFiles()), '--dry-run']);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      'imported  coverage 1, coverageStore 1, dataStore 2, defaultWorkspace 1, featureType 2, layer 3, layerGroup 3, style 5, template 1, urlCheck 1, workspace 2\n' +
        'plan      22 to create, 0 to change, 0 to delete\n',
    );
    expect((await readConfiguration()).hash).toBe(before.hash);
  });

  it('is 1 before anything is applied with --strict, unless the codes are allowed', async () => {
    const source = await createSource();

    const strict = await runMoveIn(url, [source, '--yes', '--strict']);
    const allowed = await runMoveIn(url, [source, '--dry-run', '--strict', '--allow', 'static-files']);

    expect({ code: strict.code, err: strict.err }).toEqual({
      code: 1,
      err: 'graticule: 1 entry of the report is skipped, such as www. Nothing was applied.\n',
    });
    expect(strict.report.error?.code).toBe('strict');
    expect(allowed.code).toBe(0);
  });

  it('is 3 if the configuration changes between plan and apply', async () => {
    const ran = await runMoveIn(url, [await createSource(createCleanFiles())], {
      prompt: async () => {
        await server.post('/workspaces', JSON.stringify({ workspace: { name: 'between' } }));
        return 'y';
      },
    });

    expect(ran.code).toBe(3);
    expect(ran.report.error?.code).toBe('configuration-moved');
    expect(ran.report.change).toBeNull();
  });

  it('is 1 without confirmation, and for an unreachable target', async () => {
    const source = await createSource(createCleanFiles());

    const silent = await runMoveIn(url, [source]);
    const refused = await runMoveIn(url, [source], { prompt: async () => 'n' });
    const unreachable = await runMoveIn(undefined, [source, '--yes']);

    expect([silent.code, refused.code, unreachable.code]).toEqual([1, 1, 1]);
    expect([silent, refused, unreachable].map(({ report }) => report.error?.code)).toEqual([
      'confirmation-required',
      'cancelled',
      'server-unreachable',
    ]);
    expect(silent.err).toContain('Use --yes to apply without confirmation.');
  });
});

describe('options', () => {
  it('--only limits the import to a path', async () => {
    const { report } = await runMoveIn(url, [await createSource(), '--dry-run', '--only', '/workspaces/side.car']);

    expect(report.summary.imported).toEqual({ dataStore: 1, featureType: 1, layer: 1, workspace: 1 });
    expect(report.entries.map(({ code }) => code)).toContain('not-selected');
  });

  it('--rename renames workspaces and others, with all references', async () => {
    const source = await createSource({ ...createSampleDirectory(), ...createSecurityFiles() });
    const renames = [
      'acme=moved',
      'style:dots=spots',
      'layer:acme:towns=cities',
      'group:base=all',
      'role:EDITOR=WRITER',
    ];

    const ran = await runMoveIn(url, [source, '--yes', ...renames.flatMap((rename) => ['--rename', rename])]);
    const { fieldsOf } = await readConfiguration();
    await undo(ran.report.change);

    expect(ran.err).toBe('');
    expect(fieldsOf('/workspaces/moved')).toMatchObject({ namespaceUri: 'http://acme.example/features' });
    expect(fieldsOf('/workspaces/moved/layers/cities')).toMatchObject({ defaultStyle: { name: 'spots' } });
    expect(fieldsOf('/layergroups/all')).toMatchObject({
      publishables: { published: [{ name: 'moved:cities' }, { name: 'moved:heights' }, { name: 'moved:near' }] },
    });
    expect(fieldsOf('/security/acl/layers')).toMatchObject({
      rules: [{ rule: '*.*.r' }, { rule: 'moved.cities.w', roles: ['ADMIN', 'WRITER'] }, {}],
    });
  });

  it('--path, --jndi and --secrets replace what only the old server knew', async () => {
    const source = await createSource({ ...createSampleDirectory(), ...createUnsupportedFiles() });
    const store = '/workspaces/odd/datastores/jndi';
    const options = [
      '--path',
      'F:\\data=/srv/data',
      '--jndi',
      'java:comp/env/jdbc/roads=postgres://reader@db.example/roads',
    ];
    const files = { 'secrets.json': JSON.stringify({ [store]: { passwd: 'given' } }) };
    const environment = { DB_HOST: 'gis.example', DB_NAME: 'one' };

    const ran = await runMoveIn(
      url,
      [source, '--output', 'x.zip', '--with-secrets', ...options, '--secrets', 'secrets.json'],
      {
        environment,
        files,
      },
    );
    const fields = readArchive(ran.written.get('x.zip')?.bytes);

    expect(fields(store)).toMatchObject({
      connectionParameters: { host: 'db.example', port: '5432', database: 'roads', user: 'reader', passwd: 'given' },
    });
    expect(fields('/workspaces/odd/datastores/windows')).toMatchObject({
      connectionParameters: { url: 'file:///srv/data/roads.shp' },
    });
    expect(fields('/workspaces/odd/datastores/placeholder')).toMatchObject({
      connectionParameters: { host: { $env: 'DB_HOST' }, database: 'gis_one' },
    });
  });

  it('--add-url-checks allows the addresses of stores', async () => {
    const source = await createSource({ ...createSampleDirectory(), ...createUnsupportedFiles() });

    const ran = await runMoveIn(url, [source, '--output', 'x.zip', '--add-url-checks']);
    const fields = readArchive(ran.written.get('x.zip')?.bytes);

    expect(fields('/urlchecks/move-in%20other.example')).toMatchObject({
      enabled: true,
      regex: '^https://other[.]example/.*$',
    });
    expect(fields('/workspaces/odd/wmsstores/remote')).toMatchObject({ capabilitiesURL: 'https://other.example/wms' });
  });

  it.each([
    [['--allow', 'nothing'], 'Unknown code --allow'],
    [['--only', 'workspaces'], 'Invalid --only'],
    [['--path', 'x'], 'Invalid --path'],
    [['--jndi', 'a=postgres://u:pw@h/d'], 'contains a password'],
    [['--output', 'x.json'], 'ends in .zip'],
    [['--rename', 'x'], 'Invalid --rename'],
  ])('rejects the invalid options %j', async (options, message) => {
    const { code, err } = await runMoveIn(url, ['/nowhere', '--yes', ...options]);

    expect(code).toBe(1);
    expect(err).toMatch(/^graticule: [^\n]+\n$/);
    expect(err).toContain(message);
    expect(err).not.toContain('pw');
  });
});

describe('secrets', () => {
  it('appear in no report, output or archive without --with-secrets', async () => {
    const source = await createSource({
      ...createSampleDirectory(),
      ...createSecurityFiles(),
      ...createUnsupportedFiles(),
      'workspaces/acme/archive/datastore.xml': String(
        createSampleDirectory()['workspaces/acme/archive/datastore.xml'],
      ).replace('plain:database secret', storedPassword),
    });
    const before = server.log.length;

    const dry = await runMoveIn(url, [source, '--dry-run']);
    const json = await runMoveIn(url, [source, '--dry-run', '--json']);
    const file = await runMoveIn(url, [source, '--output', 'x.zip']);
    const open = await runMoveIn(url, [source, '--output', 'x.zip', '--with-secrets']);
    const again = await runMoveIn(url, [source, '--output', 'x.zip']);

    const texts = [dry, json, file].flatMap(({ out, err, report }) => [out, err, JSON.stringify(report)]);
    const archive = readDocument(file.written.get('x.zip')?.bytes);
    for (const text of [...texts, archive, ...server.log.slice(before)]) expect(text).not.toContain(CANARY);
    expect(archive).toContain('{"$env":"WORKSPACES_ACME_DATASTORES_ARCHIVE_PASSWD"}');
    expect(file.written.get('x.zip')?.mode).toBeUndefined();
    expect(readDocument(open.written.get('x.zip')?.bytes)).toContain(`${CANARY} store`);
    expect(open.written.get('x.zip')?.mode).toBe(0o600);
    expect(again.written.get('x.zip')?.bytes.equals(file.written.get('x.zip')?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('need the master password of the keystore', async () => {
    const source = await createSource({ ...createSampleDirectory(), ...createSecurityFiles('another password') });

    const unknown = await runMoveIn(url, [source, '--dry-run']);
    const wrong = await runMoveIn(url, [source, '--dry-run', '--master-password-file', 'pw'], {
      files: { pw: 'wrong' },
    });
    const right = await runMoveIn(url, [source, '--dry-run', '--master-password-file', 'pw'], {
      files: { pw: 'another password\n' },
    });

    const listUnreadable = ({ report }: typeof right) =>
      report.entries.filter(({ code }) => code === 'password-unreadable').map(({ source: item }) => item.split('#')[1]);
    expect(listUnreadable(unknown)).toEqual(['rudi', 'stella', 'wim']);
    expect(wrong.report.error?.code).toBe('master-password-wrong');
    expect(listUnreadable(right)).toEqual(['rudi']);
  });
});

describe('sources', () => {
  it('can be a ZIP archive with or without a single directory', async () => {
    for (const top of ['', 'data_dir/']) {
      const file = join(folder, `source${top.length}.zip`);
      await writeFile(file, packDirectory(createSampleDirectory(), top));

      const { report, err } = await runMoveIn(url, [file, '--dry-run']);

      expect(err).toBe('');
      expect(report.source?.kind).toBe('zip');
      expect(report.summary.imported).toMatchObject({ workspace: 2, style: 5 });
    }
  });

  it.each<readonly [string, string, DirectoryFiles]>([
    ['of GeoServer 1.x', 'layout-1x', { 'catalog.xml': '<catalog/>', 'services.xml': '<services/>' }],
    ['of the backup module', 'backup-archive', { 'workspace.dat.1': 'x', 'br_index.xml': '<x/>' }],
    ['without configuration', 'source-not-geoserver', { 'notes.txt': 'x' }],
  ])('reject a directory %s', async (_, code, files) => {
    const ran = await runMoveIn(url, [await createSource(files), '--yes']);

    expect(ran.code).toBe(1);
    expect(ran.report.error?.code).toBe(code);
  });

  it('reject files that are no archive, and paths without anything', async () => {
    const file = join(folder, 'no.zip');
    await writeFile(file, 'no archive');

    const [broken, missing] = [
      await runMoveIn(url, [file, '--yes']),
      await runMoveIn(url, [join(folder, 'missing'), '--yes']),
    ];

    expect([broken, missing].map(({ report }) => report.error?.code)).toEqual(['archive-refused', 'source-unreadable']);
  });

  it('do not follow links out of the directory', async () => {
    const source = await createSource();
    const outside = await mkdtemp(join(tmpdir(), 'graticule-outside-'));
    await writeFile(join(outside, 'stolen.xml'), '<style><name>stolen</name></style>');
    await symlink(outside, join(source, 'styles', 'link'));
    await symlink(join(outside, 'stolen.xml'), join(source, 'styles', 'stolen.xml'));
    await symlink(source, join(source, 'styles', 'circle'));

    const { report } = await runMoveIn(url, [source, '--dry-run']);

    expect(listCodes(report).filter((text) => text.includes('path-outside-source'))).toEqual([
      'styles/link path-outside-source',
      'styles/stolen.xml path-outside-source',
    ]);
    expect(report.summary.imported).toMatchObject({ style: 5 });
  });
});

function readDocument(archive: Buffer | undefined): string {
  return archive === undefined ? '' : (readArchivedDocument(archive) ?? '');
}

function readArchive(archive: Buffer | undefined): (path: string) => unknown {
  const { resources } = JSON.parse(readDocument(archive)) as { readonly resources: readonly Resource[] };
  return (path) => resources.find((resource) => resource.path === path)?.fields;
}
