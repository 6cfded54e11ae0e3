/** Runs the client commands against a server and checks standard output, standard error and exit codes. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addTown, uploadTowns } from '../../test/support/edited-stores.ts';
import { zipOfFiles } from '../../test/support/raster-samples.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../test/support/test-server.ts';
import { ArchiveWriter } from '../lib/backup/archive-writer.ts';
import { ChunkWriter } from '../lib/backup/chunks.ts';
import { FORMAT } from '../lib/backup/format.ts';
import type { CommandEnvironment } from './client/command.ts';
import { runCommand } from './run.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly answer?: string;
}

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  url = `${await server.server.app.listen({ host: '127.0.0.1', port: 0 })}${server.server.restRoot}`;
});
afterAll(() => server?.close());

/** Runs a command against the server, with the given environment, files and terminal input. */
async function run(words: readonly string[], { environment, files = {}, answer }: Surroundings = {}): Promise<Ran> {
  const printed: string[] = [];
  const errors: string[] = [];
  const world: CommandEnvironment = {
    environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD, ...environment },
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    readFile: async (name) => Buffer.from((files[name] ?? '') as Buffer),
    listFiles: async (name) => {
      const folder = name.endsWith('/') ? name : `${name}/`;
      const found = Object.keys(files).filter((file) => file.startsWith(folder));
      return found.length === 0 ? undefined : found.map((file) => file.slice(folder.length)).sort();
    },
    removeFile: async (name) => void printed.push(`removed ${name}\n`),
    resolvePath: (name) => name,
    async writeFile(name, pieces) {
      for await (const piece of pieces) printed.push(`${name}: ${Buffer.from(piece).toString('latin1')}`);
    },
    prompt: answer === undefined ? undefined : async () => answer,
    wait: async () => undefined,
  };
  const code = await runCommand(words, world);
  return { code, out: printed.join(''), err: errors.join('') };
}

async function addWorkspace(name: string): Promise<number> {
  const reply = await server.post('/workspaces', JSON.stringify({ workspace: { name } }), { type: 'json' });
  return Number(reply.headers['graticule-change']);
}

describe('command line', () => {
  it('refuses to overwrite the base of an incremental backup', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-base-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'full.backup');
    const pieces: Uint8Array[] = [];
    const header = { format: FORMAT, version: '1', createdAt: '2026-01-01T00:00:00Z', since: null };
    const { id } = new ArchiveWriter(new ChunkWriter((piece) => pieces.push(Uint8Array.from(piece))), header).end(1);
    await writeFile(file, Buffer.concat(pieces));
    await symlink(file, join(folder, 'link.backup'));

    for (const [target, since] of [
      [file, file],
      [file, id],
      [join(folder, 'link.backup'), file],
    ] as const) {
      expect(await run(['backup', target, '--since', since])).toEqual({
        ...{ code: 1, out: '' },
        err: `graticule: The backup would overwrite its base '${target}'. Use another file.\n`,
      });
    }
    expect(await run(['backup', folder])).toEqual({
      ...{ code: 1, out: '' },
      err: `graticule: '${folder}' is a directory. Name a file.\n`,
    });
    expect(await run(['backup', file, '--since', 'absent'])).toEqual({
      ...{ code: 1, out: '' },
      err: "graticule: Cannot use the backup 'absent': the file does not exist.\n",
    });
  });

  it('exits with 1 and a one-line error for unknown commands, options and wrong arguments', async () => {
    for (const words of [
      ['frobnicate'],
      ['diff'],
      ['diff', 'a', 'b'],
      ['undo', 'x'],
      ['doctor', '--frob'],
      ['history', '--limit'],
    ]) {
      const { code, out, err } = await run(words);

      expect(code).toBe(1);
      expect(out).toBe('');
      expect(err).toMatch(/^graticule: [^\n]+\n$/);
    }
  });

  it('names an unknown mode and the allowed ones', async () => {
    for (const words of [['diff'], ['apply'], ['apply', '--yes']]) {
      expect(await run([...words, 'file', '--mode', 'upsert'])).toEqual({
        code: 1,
        out: '',
        err: "graticule: Invalid --mode 'upsert'. Use merge or mirror.\n",
      });
    }
  });

  it('rejects passwords on the command line', async () => {
    expect(await run(['doctor', '--password', 'x'])).toMatchObject({ code: 1 });
    expect(await run(['doctor', '--url', url.replace('//', '//admin:secret@')])).toMatchObject({
      code: 1,
      err: 'graticule: --url contains a password, which other users of the machine can read. Set GRATICULE_PASSWORD instead.\n',
    });
  });

  it('reads the password from a file', async () => {
    const files = { secret: `${ADMIN_PASSWORD}\n` };

    const { code } = await run(['history', '--password-file', 'secret'], {
      environment: { GRATICULE_PASSWORD: 'x' },
      files,
    });

    expect(code).toBe(0);
  });

  it('reports an unreachable server and a wrong password', async () => {
    expect(await run(['history', '--url', 'http://127.0.0.1:1/geoserver/rest'])).toEqual({
      code: 1,
      out: '',
      err: 'graticule: Cannot connect to http://127.0.0.1:1: the connection was refused.\n',
    });
    expect(await run(['history'], { environment: { GRATICULE_PASSWORD: 'wrong' } })).toEqual({
      code: 1,
      out: '',
      err: `graticule: Authentication failed for user 'admin' at ${url}. Check the user name and the password.\n`,
    });
  });

  it('names a missing /rest in the address of the server, and not at other unknown resources', async () => {
    const root = url.replace(/\/rest$/, '');

    expect(await run(['doctor'], { environment: { GRATICULE_URL: `${root}/` } })).toEqual({
      code: 1,
      out: '',
      err: `graticule: No resource exists at '/geoserver/doctor'. The address '${root}' does not end with '/rest': set --url or GRATICULE_URL to a REST root, such as http://127.0.0.1:8080/geoserver/rest.\n`,
    });
    expect((await run(['undo', '999'])).err).not.toContain("'/rest'");
  });

  it('prints the help of a command', async () => {
    expect((await run(['apply', '--help'])).out).toMatch(/^graticule apply FILE \[--mode merge\|mirror\]/);
  });
});

describe('graticule history and undo', () => {
  it('lists changes, newest first, and undoes one', async () => {
    const change = await addWorkspace('taken-back');

    const listed = await run(['history', '--path', '/workspaces/taken-back', '--limit', '1']);
    const tried = await run(['undo', `${change}`, '--dry-run']);
    const undone = await run(['undo', `${change}`]);

    expect(listed).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${change}  \\d{4}-\\S+Z  admin  create workspace taken-back\\n$`)),
      err: '',
    });
    expect(tried).toMatchObject({ code: 0, out: `Dry run: nothing was changed. Change ${change} can be undone.\n` });
    expect(undone).toEqual({ code: 0, out: `${change + 1}\n`, err: '' });
    expect((await server.get('/workspaces/taken-back')).status).toBe(404);
  });

  it('exits with 4 and lists the conflicting changes if an undo conflicts', async () => {
    const change = await addWorkspace('in-use');
    await server.put('/workspaces/in-use', '{"workspace":{"isolated":true}}', { type: 'json' });

    const { code, out, err } = await run(['undo', `${change}`]);

    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toMatch(/^graticule: .*\n {2}\/workspaces\/in-use {2}change \d+\n$/);
  });

  it('exits with 1 for an unknown change', async () => {
    expect(await run(['undo', '99999'])).toMatchObject({ code: 1, out: '' });
  });

  it('prints the document of the server unchanged with --json', async () => {
    const { out } = await run(['history', '--limit', '1', '--json']);

    expect(JSON.parse(out)).toMatchObject({ changes: [{ who: 'admin' }], oldest: 1 });
  });
});

describe('graticule doctor', () => {
  it('exits with 0 for a healthy server and prints the checks', async () => {
    const { code, out } = await run(['doctor', '--connect']);

    expect(code).toBe(0);
    expect(out).toMatch(/^ok {2}storage: .*\nok {2}keystore: /);
  });

  it('exits with 2 for an unhealthy server', async () => {
    const { storage } = server.server;
    const sound = storage.findIntegrityProblems.bind(storage);
    Object.assign(storage, { findIntegrityProblems: async () => ['a page is broken'] });

    const { code, out } = await run(['doctor']);

    Object.assign(storage, { findIntegrityProblems: sound });
    expect(code).toBe(2);
    expect(out).toMatch(/^BAD {2}storage: .*\n(?:.*\n)*- {2}storage-damaged: a page is broken\n$/);
  });
});

describe('graticule health', () => {
  it('succeeds while the server accepts requests, and sends no password', async () => {
    const environment = { GRATICULE_PASSWORD: undefined };

    expect(await run(['health'], { environment })).toEqual({ code: 0, out: 'The server accepts requests.\n', err: '' });
    expect((await run(['health', '--json'], { environment })).out).toBe('{"ready":true}\n');
    expect((await run(['health'], { environment: { GRATICULE_PASSWORD: 'wrong' } })).code).toBe(0);
  });

  it('finds the server of this machine by the port and the context path in the environment', async () => {
    const { port } = new URL(url);
    const local = { GRATICULE_URL: undefined, GRATICULE_PASSWORD: undefined, GRATICULE_PORT: port };

    expect((await run(['health'], { environment: local })).code).toBe(0);
    const login = { ...local, GRATICULE_PASSWORD: ADMIN_PASSWORD };
    expect((await run(['doctor'], { environment: login })).code).not.toBe(1);
    expect((await run(['doctor'], { environment: { ...login, GRATICULE_CONTEXT_PATH: '/maps/' } })).code).toBe(1);
  });

  it('connects to the server of this machine by TLS if the environment names a certificate', async () => {
    const fixtures = join(import.meta.dirname, '../../test/fixtures/tls');
    const [cert, key] = [join(fixtures, 'first.cert.pem'), join(fixtures, 'first.key.pem')];
    const secured = await startTestServer({ flags: ['--tls-cert', cert, '--tls-key', key] });
    onTestFinished(() => secured.close());
    const { port } = new URL(await secured.server.app.listen({ host: '127.0.0.1', port: 0 }));
    const environment = { GRATICULE_URL: undefined, GRATICULE_PORT: port, GRATICULE_TLS_CERT: cert };

    expect(await run(['health'], { environment })).toEqual({ code: 0, out: 'The server accepts requests.\n', err: '' });
    const withPassword = await run(['doctor'], { environment });
    expect(withPassword).toMatchObject({ code: 1, err: expect.stringContaining('certificate') });
  });

  it('fails with one line if no server listens', async () => {
    expect(await run(['health', '--url', 'http://127.0.0.1:9/geoserver/rest'])).toEqual({
      code: 1,
      out: '',
      err: 'graticule: Cannot connect to http://127.0.0.1:9: the connection was refused.\n',
    });
  });
});

describe('graticule events', () => {
  it('prints one document per line', async () => {
    const change = await addWorkspace('reported-of');

    const { code, out } = await run(['events', '--after', `${change - 1}`]);

    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual([`${change}`]);
    const all = (await run(['events'])).out.trimEnd().split('\n');
    expect(all).toHaveLength(server.server.storage.position());
  });

  it('follows changes and reconnects when the stream breaks', async () => {
    const first = await addWorkspace('before');
    const seen: string[] = [];
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const wait = Promise.withResolvers<void>();
    const world: CommandEnvironment = {
      environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
      print(text) {
        seen.push((JSON.parse(text) as { id: string }).id);
        if (seen.length === 1) server.server.app.server.closeAllConnections();
        if (seen.length === 2) end();
      },
      printError: () => undefined,
      readFile: async () => Buffer.alloc(0),
      listFiles: async () => undefined,
      removeFile: async () => undefined,
      resolvePath: (name) => name,
      writeFile: async () => undefined,
      prompt: undefined,
      // One more change happens while the stream is closed.
      async wait() {
        await addWorkspace('meanwhile');
        wait.resolve();
      },
    };

    void runCommand(['events', '--follow', '--after', `${first - 1}`], world).catch(() => undefined);
    await wait.promise;
    await isOver;
    server.server.app.server.closeAllConnections();

    expect(seen).toEqual([`${first}`, `${first + 1}`]);
  });
});

describe('graticule diff', () => {
  const harbour = (fields: object) =>
    JSON.stringify({
      format: 'graticule-configuration/1',
      resources: [{ kind: 'urlCheck', path: '/urlchecks/harbour', fields }],
    });

  it('exits with 0 if there are no changes', async () => {
    const { out } = await run(['export']);

    expect(await run(['diff', 'x.json', '--mode', 'mirror'], { files: { 'x.json': out } })).toEqual({
      code: 0,
      out: '0 to create, 0 to change, 0 to delete\n',
      err: '',
    });
    expect((await run(['diff', '-'], { files: { '-': out } })).code).toBe(0);
  });

  it('prints one line per step and exits with 2', async () => {
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"harbour","description":"old","regex":"^a$"}}', {
      type: 'json',
    });
    const file = harbour({ description: { $env: 'WHAT' } });

    const result = await run(['diff', 'x'], { files: { x: file }, environment: { WHAT: 'new' } });
    const gone = harbour({ regex: '^b$' }).replace('harbour', 'pier');
    const mirrored = await run(['diff', 'x', '--mode', 'mirror', '--path', '/urlchecks'], { files: { x: gone } });

    expect(result).toEqual({
      code: 2,
      out: '~ urlCheck /urlchecks/harbour\n    /description: "old" -> "new"\n0 to create, 1 to change, 0 to delete\n',
      err: '',
    });
    expect(mirrored).toMatchObject({ code: 2 });
    expect(mirrored.out.split('\n').toSorted()).toEqual(
      [
        '',
        '+ urlCheck /urlchecks/pier',
        '- urlCheck /urlchecks/harbour',
        '1 to create, 0 to change, 1 to delete',
      ].toSorted(),
    );
  });

  it('reports all faulty resources together, also those that only an apply detects', async () => {
    const check = (name: string, fields: object) => ({ kind: 'urlCheck', path: `/urlchecks/${name}`, fields });
    const workspace = { kind: 'workspace', path: '/workspaces/bad%3Aname', fields: {} };
    const resources = [check('one', { regx: 'a' }), check('two', { regex: '(' }), workspace];
    const files = { x: JSON.stringify({ format: 'graticule-configuration/1', resources }) };

    for (const words of [
      ['diff', 'x'],
      ['apply', 'x', '--yes'],
    ]) {
      const { code, err } = await run(words, { files });

      expect(code).toBe(1);
      for (const line of ['one /regx: ', 'two /regex: ']) expect(err).toContain(`\n  /urlchecks/${line}`);
      expect(err).toContain('\n  /workspaces/bad%3Aname: ');
    }
  });

  it('prints the change of a style as a unified diff', async () => {
    const style = '* {\n  stroke: black;\n  stroke-width: 1;\n}\n';
    const headers = { 'content-type': 'application/vnd.geoserver.geocss+css' };
    const created = await server.post('/styles?name=lines', style, { headers });
    expect(created.status, created.text).toBe(201);
    const content = style.replace('black', 'red');
    const resources = [{ kind: 'style', path: '/styles/lines', fields: { content } }];

    const { out } = await run(['diff', 'x'], {
      files: { x: JSON.stringify({ format: 'graticule-configuration/1', resources }) },
    });

    expect(out.split('\n')).toEqual([
      '~ style /styles/lines',
      '    /content:',
      '      --- before',
      '      +++ after',
      '      @@ -1,5 +1,5 @@',
      '       * {',
      '      -  stroke: black;',
      '      +  stroke: red;',
      '         stroke-width: 1;',
      '       }',
      '       ',
      '0 to create, 1 to change, 0 to delete',
      '',
    ]);
  });

  it('keeps the text of numbers', async () => {
    const file = harbour({ description: 'NUMBER' }).replace('"NUMBER"', '1.0');

    const result = await run(['diff', 'x'], { files: { x: file } });

    expect(result.out).toContain('/description: "old" -> "1.0"\n');
  });

  it('warns about missing edited features when it exports an archive', async () => {
    await uploadTowns(server);
    await addTown(server, 'Basel');
    await rm(join(server.dataDir, 'data/acme/roads'), { recursive: true });

    const result = await run(['export', '--output', 'x.zip', '--path', '/workspaces/acme']);

    expect(result).toMatchObject({
      code: 0,
      out: expect.stringContaining('x.zip: PK'),
      err: "Warning: The archive does not contain the edited features of /workspaces/acme/datastores/roads: The file 'roads.gpkg' does not exist.\n",
    });
    await server.delete('/workspaces/acme?recurse=true');
  });

  it("returns the server's error for a corrupt archive", async () => {
    const accept = 'application/zip';
    const archive = Buffer.from((await server.get('/configuration', { headers: { accept } })).bytes);
    archive.fill(0xff, 60, 90);

    const result = await run(['diff', 'x'], { files: { x: archive } });

    expect(result).toMatchObject({ code: 1, err: expect.stringMatching(/^graticule: /) });
  });

  it('substitutes variables in the document of an archive, and accepts a message for the change', async () => {
    await addWorkspace('packed');
    const accept = 'application/zip';
    const archive = (await server.get('/configuration?path=/workspaces/packed', { headers: { accept } })).bytes;
    await server.delete('/workspaces/packed');
    const file = zipOfFiles({
      [`files/${createHash('sha256').update('bytes').digest('hex')}`]: Buffer.from('bytes'),
      'configuration.json': Buffer.from(harbour({ description: { $env: 'WHAT' } })),
    });

    const result = await run(['diff', 'x'], { files: { x: file }, environment: { WHAT: 'packed' } });
    const unset = await run(['diff', 'x'], { files: { x: file } });
    const applied = await run(['apply', 'y', '--yes', '--message', 'unpack'], { files: { y: archive } });

    expect(result).toMatchObject({ code: 2, out: expect.stringContaining('/description: "old" -> "packed"') });
    expect(unset).toMatchObject({ code: 1, err: expect.stringContaining('WHAT') });
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect((await run(['history', '--limit', '1'])).out).toMatch(/ {2}unpack\n$/);
    expect((await server.get('/workspaces/packed')).status).toBe(200);
  });

  it('lists unset variables and rejects files that are neither JSON nor ZIP', async () => {
    const file = harbour({ description: { $env: 'NOT_SET' }, regex: { $env: 'NEITHER' } });

    expect(await run(['diff', 'x'], { files: { x: file } })).toEqual({
      code: 1,
      out: '',
      err: "graticule: 'x' uses environment variables that are not set: NOT_SET, NEITHER.\n",
    });
    expect((await run(['diff', 'x'], { files: { x: '{' } })).err).toMatch(
      /^graticule: 'x' is neither JSON nor a ZIP archive/,
    );
  });

  it("prints the server's error for an invalid document", async () => {
    const file = harbour({}).replace('urlCheck', 'lighthouse');

    const { code, out, err } = await run(['diff', 'x'], { files: { x: file } });

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^graticule: .*kind: .*\n$/);
  });
});

describe('graticule apply', () => {
  const check = (name: string, fields: object = { regex: '^a$' }) => ({
    kind: 'urlCheck',
    path: `/urlchecks/${name}`,
    fields,
  });
  const fileOf = (...resources: readonly object[]) => ({
    files: { x: JSON.stringify({ format: 'graticule-configuration/1', resources }) },
  });

  it('shows the plan, asks for confirmation and applies it as one change', async () => {
    const refused = await run(['apply', 'x'], { ...fileOf(check('asked')), answer: 'n' });
    const done = await run(['apply', 'x', '--message', 'Open the pier'], { ...fileOf(check('asked')), answer: 'y' });
    const again = await run(['apply', 'x', '--yes'], fileOf(check('asked')));

    const plan = '+ urlCheck /urlchecks/asked\n1 to create, 0 to change, 0 to delete\n';
    expect(refused).toEqual({ code: 1, out: plan, err: 'graticule: Cancelled. Nothing was applied.\n' });
    const position = server.server.storage.position();
    expect(done).toEqual({ code: 0, out: `${plan}Applied as change ${position}.\n`, err: '' });
    expect(again).toEqual({
      code: 0,
      out: '0 to create, 0 to change, 0 to delete\nNo changes were necessary.\n',
      err: '',
    });
    expect((await run(['history', '--limit', '1'])).out).toContain('  admin  Open the pier\n');
  });

  it('changes nothing in a dry run or without a terminal for confirmation', async () => {
    const position = server.server.storage.position();

    const dry = await run(['apply', 'x', '--dry-run'], fileOf(check('tried')));
    const unasked = await run(['apply', 'x'], fileOf(check('tried')));

    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\nDry run: nothing was changed\.\n$/),
    });
    expect(unasked).toMatchObject({ code: 1, out: '' });
    expect(server.server.storage.position()).toBe(position);
  });

  it('exits with 3 if the configuration changed after the plan', async () => {
    const { files } = fileOf(check('late'));
    const printed: string[] = [];
    const errors: string[] = [];

    const code = await runCommand(['apply', 'x'], {
      environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      readFile: async () => Buffer.from(files.x),
      listFiles: async () => undefined,
      removeFile: async () => undefined,
      resolvePath: (name) => name,
      writeFile: async () => undefined,
      // Another change happens before the confirmation.
      async prompt() {
        await addWorkspace('quicker');
        return 'yes';
      },
      wait: async () => undefined,
    });

    expect(code).toBe(3);
    expect(errors.join('')).toMatch(/^graticule: [^\n]+\n$/);
    expect((await server.get('/urlchecks/late')).status).toBe(404);
  });

  it('prints every error in a document on its own line', async () => {
    const broken = fileOf(check('one', { regex: '(' }), check('two', { regex: '[' }));

    const { code, err } = await run(['apply', 'x', '--yes'], broken);

    expect(code).toBe(1);
    expect(err).toMatch(/^graticule: .+\n {2}\/urlchecks\/one .*\n {2}\/urlchecks\/two .*\n$/);
  });
});

describe('graticule export', () => {
  it('prints the configuration indented', async () => {
    const { code, out } = await run(['export', '--path', '/workspaces']);

    expect(code).toBe(0);
    expect(out).toMatch(/^\{\n {2}"format": "graticule-configuration\/1",\n/);
    expect(out.endsWith('}\n')).toBe(true);
  });

  it('writes the configuration to a file', async () => {
    const { code, out } = await run(['export', '--output', 'all.json']);

    expect(code).toBe(0);
    expect(out).toMatch(/^all\.json: \{\n {2}"format"/);
  });
});

describe('a configuration in a directory', () => {
  /** Runs an export and returns the written files, and the lines about removed ones. */
  async function exportFiles(...words: readonly string[]) {
    return exportOver({}, ...words);
  }

  async function exportOver(files: Readonly<Record<string, string>>, ...words: readonly string[]) {
    const { code, out, err } = await run(['export', 'site/', ...words], { files });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const removed = Array.from(out.matchAll(/^removed (.*)$/gm), ([, name]) => name);
    const parts = out.replaceAll(/^removed .*\n/gm, '').split(/(?<=^|\n|\})(site\/[^ \n]+): /);
    const written: Record<string, string> = {};
    for (let index = 1; index < parts.length; index += 2) written[parts[index] ?? ''] = parts[index + 1] ?? '';
    return { written, removed };
  }

  it('has one file per resource and styles as files of their own', async () => {
    const headers = { 'content-type': 'application/vnd.geoserver.geocss+css' };
    await server.post('/styles?name=pier', '* { stroke: black; }\n', { headers });
    await addWorkspace('quay.json');

    const { written } = await exportFiles('--path', '/styles/pier', '--path', '/workspaces/quay.json');

    expect(Object.keys(written).toSorted()).toEqual([
      'site/configuration.json',
      'site/styles/pier.css',
      'site/styles/pier.json',
      'site/workspaces/quay%2Ejson.json',
    ]);
    expect(JSON.parse(written['site/configuration.json'] ?? '')).toEqual({
      format: 'graticule-configuration/1',
      scope: ['/styles/pier', '/workspaces/quay.json'],
    });
    expect(written['site/styles/pier.css']).toBe('* { stroke: black; }\n');
    expect(written['site/styles/pier.json']).toContain('    "content": {\n      "$file": "pier.css"\n    },');
    expect(JSON.parse(written['site/workspaces/quay%2Ejson.json'] ?? '')).toMatchObject({
      kind: 'workspace',
      path: '/workspaces/quay.json',
    });
  });

  it('is compared and applied like a file', async () => {
    const { written } = await exportFiles();
    const edited = { ...written, 'site/styles/pier.css': '* { stroke: red; }\n' };

    expect(await run(['diff', 'site', '--mode', 'mirror'], { files: written })).toMatchObject({ code: 0, err: '' });
    expect((await run(['diff', 'site/'], { files: edited })).out).toContain('      +* { stroke: red; }\n');
    expect(await run(['apply', 'site/', '--yes', '--message', 'red'], { files: edited })).toMatchObject({ code: 0 });
    expect((await server.get('/styles/pier.css')).text).toContain('red');
    expect((await run(['history', '--limit', '1'])).out).toMatch(/ {2}red\n$/);
  });

  it('loses the files of deleted resources in the next export, and no others', async () => {
    const { written } = await exportFiles('--path', '/styles/pier', '--path', '/workspaces/quay.json');
    await server.delete('/styles/pier?purge=true');

    const again = await exportOver(
      { ...written, 'site/README.md': 'ours' },
      '--path',
      '/styles/pier',
      '--path',
      '/workspaces/quay.json',
    );

    expect(again.removed.toSorted()).toEqual(['site/styles/pier.css', 'site/styles/pier.json']);
    expect(again.written['site/workspaces/quay%2Ejson.json']).toBe(written['site/workspaces/quay%2Ejson.json']);
  });

  it('distinguishes names that differ only in case', async () => {
    await addWorkspace('Dock');
    await addWorkspace('dock');

    const { written } = await exportFiles('--path', '/workspaces/Dock', '--path', '/workspaces/dock');

    expect(Object.keys(written).filter((name) => /dock/i.test(name))).toEqual([
      'site/workspaces/Dock.json',
      expect.stringMatching(/^site\/workspaces\/dock-[0-9a-f]{8}\.json$/),
    ]);
  });

  it.each([
    [['export', 'site'], {}, /Use a directory with a slash at the end/],
    [['export', 'site/'], { 'site/thesis.txt': '' }, /contains other files/],
    [['diff', 'site'], { 'site/a.json': '{}' }, /configuration\.json is missing/],
    [['diff', 'site'], { 'site/configuration.json': '{}', 'site/a.json': '[' }, /'site\/a\.json' is not JSON/],
    [['diff', 'site'], { 'site/configuration.json': '{}', 'site/a.json': '{}' }, /'site\/a\.json' is not a resource/],
    [
      ['diff', 'site'],
      {
        'site/configuration.json': '{}',
        'site/a.json': '{"kind":"style","path":"/styles/a","fields":{"content":{"$file":"../b"}}}',
      },
      /Invalid \$file '\.\.\/b'/,
    ],
    [
      ['diff', 'site'],
      {
        'site/configuration.json': '{}',
        'site/a.json': '{"kind":"workspace","path":"/workspaces/a","fields":{}}',
        'site/b.json': '{"kind":"workspace","path":"/workspaces/a","fields":{}}',
      },
      /'site\/b\.json' and 'site\/a\.json' contain the same resource/,
    ],
  ])('is rejected with a reason: %j %j', async (words, files, reason) => {
    expect(await run(words, { files: files as Readonly<Record<string, string>> })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(reason),
    });
  });
});
