/** The command line against a server that runs: what is printed, what is said, and how it ends. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTown, uploadTowns } from '../../test/support/edited-stores.ts';
import { zipOfFiles } from '../../test/support/raster-samples.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../test/support/test-server.ts';
import type { CommandEnvironment } from './client/command.ts';
import { runCommand } from './run.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>;
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

/** Runs a command in surroundings that a test has made, against the server. */
async function run(words: readonly string[], { environment, files = {}, answer }: Surroundings = {}): Promise<Ran> {
  const printed: string[] = [];
  const said: string[] = [];
  const world: CommandEnvironment = {
    environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD, ...environment },
    print: (text) => printed.push(text),
    printError: (text) => said.push(text),
    readFile: async (name) => Buffer.from((files[name] ?? '') as Buffer),
    async writeFile(name, pieces) {
      for await (const piece of pieces) printed.push(`${name}: ${Buffer.from(piece).toString('latin1')}`);
    },
    prompt: answer === undefined ? undefined : async () => answer,
    wait: async () => undefined,
  };
  const code = await runCommand(words, world);
  return { code, out: printed.join(''), err: said.join('') };
}

async function addWorkspace(name: string): Promise<number> {
  const reply = await server.post('/workspaces', JSON.stringify({ workspace: { name } }), { type: 'json' });
  return Number(reply.headers['graticule-change']);
}

describe('a command line', () => {
  it('says in one line what it does not know, and ends with 1', async () => {
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

  it('never takes a password from its words', async () => {
    expect(await run(['doctor', '--password', 'x'])).toMatchObject({ code: 1 });
    expect(await run(['doctor', '--url', url.replace('//', '//admin:secret@')])).toMatchObject({
      code: 1,
      err: 'graticule: --url must not hold a password, which others could read: set GRATICULE_PASSWORD.\n',
    });
  });

  it('takes it from a file', async () => {
    const files = { secret: `${ADMIN_PASSWORD}\n` };

    const { code } = await run(['history', '--password-file', 'secret'], {
      environment: { GRATICULE_PASSWORD: 'x' },
      files,
    });

    expect(code).toBe(0);
  });

  it('says so where nobody answers, and where the password is wrong', async () => {
    expect(await run(['history', '--url', 'http://127.0.0.1:1/geoserver/rest'])).toEqual({
      code: 1,
      out: '',
      err: 'graticule: No server answers at http://127.0.0.1:1: the connection was refused.\n',
    });
    expect(await run(['history'], { environment: { GRATICULE_PASSWORD: 'wrong' } })).toEqual({
      code: 1,
      out: '',
      err: `graticule: The server at ${url} does not accept the password of 'admin'.\n`,
    });
  });

  it('explains each command', async () => {
    expect((await run(['apply', '--help'])).out).toMatch(/^graticule apply FILE \[--mode merge\|mirror\]/);
  });
});

describe('graticule history and undo', () => {
  it('list changes, the newest first, and take one back', async () => {
    const change = await addWorkspace('taken-back');

    const listed = await run(['history', '--path', '/workspaces/taken-back', '--limit', '1']);
    const tried = await run(['undo', `${change}`, '--dry-run']);
    const undone = await run(['undo', `${change}`]);

    expect(listed).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${change}  \\d{4}-\\S+Z  admin  create workspace taken-back\\n$`)),
      err: '',
    });
    expect(tried).toMatchObject({ code: 0, out: `Nothing was changed: change ${change} can be taken back.\n` });
    expect(undone).toEqual({ code: 0, out: `${change + 1}\n`, err: '' });
    expect((await server.get('/workspaces/taken-back')).status).toBe(404);
  });

  it('end with 4 where others stand against it, and say who', async () => {
    const change = await addWorkspace('in-use');
    await server.put('/workspaces/in-use', '{"workspace":{"isolated":true}}', { type: 'json' });

    const { code, out, err } = await run(['undo', `${change}`]);

    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toMatch(/^graticule: .*\n {2}\/workspaces\/in-use {2}change \d+\n$/);
  });

  it('end with 1 where there is no such change', async () => {
    expect(await run(['undo', '99999'])).toMatchObject({ code: 1, out: '' });
  });

  it('print the document of the server as it is', async () => {
    const { out } = await run(['history', '--limit', '1', '--json']);

    expect(JSON.parse(out)).toMatchObject({ changes: [{ who: 'admin' }], oldest: 1 });
  });
});

describe('graticule doctor', () => {
  it('ends with 0 for a sound server, and prints the checks', async () => {
    const { code, out } = await run(['doctor', '--connect']);

    expect(code).toBe(0);
    expect(out).toMatch(/^ok {2}storage: .*\nok {2}keystore: /);
  });

  it('ends with 2 for another', async () => {
    const { storage } = server.server;
    const sound = storage.findIntegrityProblems.bind(storage);
    Object.assign(storage, { findIntegrityProblems: async () => ['a page is broken'] });

    const { code, out } = await run(['doctor']);

    Object.assign(storage, { findIntegrityProblems: sound });
    expect(code).toBe(2);
    expect(out).toMatch(/^BAD {2}storage: .*\n(?:.*\n)*- {2}storage-damaged: a page is broken\n$/);
  });
});

describe('graticule events', () => {
  it('prints a document a line', async () => {
    const change = await addWorkspace('told-of');

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

  it('follows what happens, and comes back when the stream breaks off', async () => {
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
      writeFile: async () => undefined,
      prompt: undefined,
      // Two more happen while there is no stream.
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

  it('ends with 0 where there is nothing to do', async () => {
    const { out } = await run(['export']);

    expect(await run(['diff', 'x.json', '--mode', 'mirror'], { files: { 'x.json': out } })).toEqual({
      code: 0,
      out: '0 to create, 0 to change, 0 to delete\n',
      err: '',
    });
    expect((await run(['diff', '-'], { files: { '-': out } })).code).toBe(0);
  });

  it('prints a line a step, and ends with 2', async () => {
    await server.post('/urlchecks', '{"regexUrlCheck":{"name":"harbour","description":"old","regex":"^a$"}}', {
      type: 'json',
    });
    const file = harbour({ description: { $env: 'WHAT' } });

    const told = await run(['diff', 'x'], { files: { x: file }, environment: { WHAT: 'new' } });
    const gone = harbour({ regex: '^b$' }).replace('harbour', 'pier');
    const mirrored = await run(['diff', 'x', '--mode', 'mirror', '--path', '/urlchecks'], { files: { x: gone } });

    expect(told).toEqual({
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

  it('sends numbers as they are written', async () => {
    const file = harbour({ description: 'NUMBER' }).replace('"NUMBER"', '1.0');

    const told = await run(['diff', 'x'], { files: { x: file } });

    expect(told.out).toContain('/description: "old" -> "1.0"\n');
  });

  it('of an archive says which edited features it lacks', async () => {
    await uploadTowns(server);
    await addTown(server, 'Basel');
    await rm(join(server.dataDir, 'data/acme/roads'), { recursive: true });

    const told = await run(['export', '--output', 'x.zip', '--path', '/workspaces/acme']);

    expect(told).toMatchObject({
      code: 0,
      out: expect.stringContaining('x.zip: PK'),
      err: "Warning: The archive lacks the edited features of /workspaces/acme/datastores/roads: The file 'roads.gpkg' does not exist.\n",
    });
    await server.delete('/workspaces/acme?recurse=true');
  });

  it('leaves it to the server to say what is wrong with an archive', async () => {
    const accept = 'application/zip';
    const archive = Buffer.from((await server.get('/configuration', { headers: { accept } })).bytes);
    archive.fill(0xff, 60, 90);

    const told = await run(['diff', 'x'], { files: { x: archive } });

    expect(told).toMatchObject({ code: 1, err: expect.stringMatching(/^graticule: /) });
  });

  it('of an archive replaces variables in its document, and may call the change something', async () => {
    await addWorkspace('packed');
    const accept = 'application/zip';
    const archive = (await server.get('/configuration?path=/workspaces/packed', { headers: { accept } })).bytes;
    await server.delete('/workspaces/packed');
    const file = zipOfFiles({
      [`files/${createHash('sha256').update('bytes').digest('hex')}`]: Buffer.from('bytes'),
      'configuration.json': Buffer.from(harbour({ description: { $env: 'WHAT' } })),
    });

    const told = await run(['diff', 'x'], { files: { x: file }, environment: { WHAT: 'packed' } });
    const unset = await run(['diff', 'x'], { files: { x: file } });
    const applied = await run(['apply', 'y', '--yes', '--message', 'unpack'], { files: { y: archive } });

    expect(told).toMatchObject({ code: 2, out: expect.stringContaining('/description: "old" -> "packed"') });
    expect(unset).toMatchObject({ code: 1, err: expect.stringContaining('WHAT') });
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect((await run(['history', '--limit', '1'])).out).toMatch(/ {2}unpack\n$/);
    expect((await server.get('/workspaces/packed')).status).toBe(200);
  });

  it('names variables that are not set, and files that are none', async () => {
    const file = harbour({ description: { $env: 'NOT_SET' }, regex: { $env: 'NEITHER' } });

    expect(await run(['diff', 'x'], { files: { x: file } })).toEqual({
      code: 1,
      out: '',
      err: "graticule: 'x' needs environment variables that are not set: NOT_SET, NEITHER.\n",
    });
    expect((await run(['diff', 'x'], { files: { x: '{' } })).err).toMatch(
      /^graticule: 'x' is neither JSON nor an archive/,
    );
  });

  it('says what the server says of a document that is none', async () => {
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

  it('shows the plan, asks, and does it as one change', async () => {
    const refused = await run(['apply', 'x'], { ...fileOf(check('asked')), answer: 'n' });
    const done = await run(['apply', 'x', '--message', 'Open the pier'], { ...fileOf(check('asked')), answer: 'y' });
    const again = await run(['apply', 'x', '--yes'], fileOf(check('asked')));

    const plan = '+ urlCheck /urlchecks/asked\n1 to create, 0 to change, 0 to delete\n';
    expect(refused).toEqual({ code: 1, out: plan, err: 'graticule: Nothing was applied.\n' });
    const position = server.server.storage.position();
    expect(done).toEqual({ code: 0, out: `${plan}Applied as change ${position}.\n`, err: '' });
    expect(again).toEqual({
      code: 0,
      out: '0 to create, 0 to change, 0 to delete\nNothing had to be changed.\n',
      err: '',
    });
    expect((await run(['history', '--limit', '1'])).out).toContain('  admin  Open the pier\n');
  });

  it('changes nothing in a dry run, and nothing where nobody can be asked', async () => {
    const position = server.server.storage.position();

    const dry = await run(['apply', 'x', '--dry-run'], fileOf(check('tried')));
    const unasked = await run(['apply', 'x'], fileOf(check('tried')));

    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\nNothing was changed: this was a dry run\.\n$/),
    });
    expect(unasked).toMatchObject({ code: 1, out: '' });
    expect(server.server.storage.position()).toBe(position);
  });

  it('ends with 3 where the configuration moved in between', async () => {
    const { files } = fileOf(check('late'));
    const printed: string[] = [];
    const said: string[] = [];

    const code = await runCommand(['apply', 'x'], {
      environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
      print: (text) => printed.push(text),
      printError: (text) => said.push(text),
      readFile: async () => Buffer.from(files.x),
      writeFile: async () => undefined,
      // Somebody is quicker than who is asked.
      async prompt() {
        await addWorkspace('quicker');
        return 'yes';
      },
      wait: async () => undefined,
    });

    expect(code).toBe(3);
    expect(said.join('')).toMatch(/^graticule: [^\n]+\n$/);
    expect((await server.get('/urlchecks/late')).status).toBe(404);
  });

  it('tells every complaint about a document, a line each', async () => {
    const broken = fileOf(check('one', { regex: '(' }), check('two', { regex: '[' }));

    const { code, err } = await run(['apply', 'x', '--yes'], broken);

    expect(code).toBe(1);
    expect(err).toMatch(/^graticule: .+\n {2}\/urlchecks\/one .*\n {2}\/urlchecks\/two .*\n$/);
  });
});

describe('graticule export', () => {
  it('prints the configuration, indented', async () => {
    const { code, out } = await run(['export', '--path', '/workspaces']);

    expect(code).toBe(0);
    expect(out).toMatch(/^\{\n {2}"format": "graticule-configuration\/1",\n/);
    expect(out.endsWith('}\n')).toBe(true);
  });

  it('writes it into a file', async () => {
    const { code, out } = await run(['export', '--output', 'all.json']);

    expect(code).toBe(0);
    expect(out).toMatch(/^all\.json: \{\n {2}"format"/);
  });
});
