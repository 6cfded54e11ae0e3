/**
 * Lesson 12: every URL that the server opens passes the URL checks, and without a check nothing is opened.
 *
 * So that no other way out comes in unseen, all that can lead out of the process is listed here, with the files that
 * alone may use it. Whoever adds a dependency, or uses one in another file, has to say so here, with a reason.
 */
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startRemoteServer } from '../support/remote-server.ts';
import { importsOf, type SourceFile, sourceFiles } from '../support/source-files.ts';
import { testGate } from '../support/url-gates.ts';

interface Library {
  /** Whether it can open connections, run programs or start threads, and why that is no way round the gate. */
  readonly reachesOut: false | string;
  /** The only files that may use it; types may be imported anywhere. */
  readonly usedIn: readonly string[];
}

const libraries: Readonly<Record<keyof typeof manifest.dependencies, Library>> = {
  '@napi-rs/canvas': {
    reachesOut: 'its loadImage opens URLs, and so nobody may call that; we hand it bytes',
    usedIn: ['styling/legend/canvas/canvas.ts'],
  },
  '@node-rs/argon2': { reachesOut: false, usedIn: ['security/core/passwords.ts'] },
  'dejavu-fonts-ttf': { reachesOut: false, usedIn: [] },
  fastify: { reachesOut: 'it listens, and connects to nobody', usedIn: ['http/app.ts'] },
  geotiff: {
    reachesOut: 'its fromUrl opens URLs, and so nobody may call that; we hand its decoders bytes',
    usedIn: ['raster/geotiff/geotiff-library.ts'],
  },
  h5wasm: {
    reachesOut:
      'its file system is in memory and holds the one file that we show it; what a file says of others leads nowhere',
    usedIn: ['raster/netcdf/hdf5-file.ts'],
  },
  'iconv-lite': { reachesOut: false, usedIn: ['vector/shapefile/table/charset.ts'] },
  jsts: { reachesOut: false, usedIn: ['filter/predicate/topology.ts'] },
  ldapts: {
    reachesOut: 'directories for logins, at the host an administrator configured, over connections that we open for it',
    usedIn: ['security/auth-providers/ldap/ldap-session.ts', 'security/auth-providers/settings-rules.ts'],
  },
  mongodb: {
    reachesOut:
      'databases of stores, at hosts that administrators and --database-hosts allow; its URI is ours, without any of its options',
    usedIn: [
      'vector/documents/bson-document.ts',
      'vector/documents/database.ts',
      'vector/documents/failure.ts',
      'vector/documents/query-filter.ts',
      'vector/documents/wire-guard.ts',
    ],
  },
  ol: {
    reachesOut: 'it runs in browsers, where our pages let it ask nobody but us; here only its file is read',
    usedIn: [],
  },
  pg: {
    reachesOut:
      'databases of stores, at hosts that administrators and --database-hosts allow; and the one that --storage names',
    usedIn: [
      'vector/postgis/connection/connections.ts',
      'vector/postgis/connection/failure.ts',
      'storage/postgres/connection/problem.ts',
      'storage/postgres/connection/session.ts',
    ],
  },
  'pg-cursor': {
    reachesOut: 'over the connections of pg only',
    usedIn: ['vector/postgis/write/edit-rows.ts', 'vector/postgis/read/read.ts'],
  },
  pino: { reachesOut: 'its transports start threads, and so nobody may use them', usedIn: ['server/log.ts'] },
  piscina: {
    reachesOut: 'it starts threads, which run our own modules only',
    usedIn: ['workers/pool.ts', 'workers/run-task.ts'],
  },
  proj4: { reachesOut: false, usedIn: ['crs/transformer.ts'] },
  re2js: { reachesOut: false, usedIn: ['lib/linear-regex/linear-regex.ts', 'lib/linear-regex/syntax-error.ts'] },
  saxes: { reachesOut: false, usedIn: ['lib/xml/reader.ts'] },
  sharp: {
    reachesOut: 'it packs and unpacks pictures in threads of its own; we hand it bytes, never names',
    usedIn: [
      'raster/support/picture-library.ts',
      'rendering/output/encode-picture.ts',
      'services/wcs/coverage-formats.ts',
      'services/wms/legend/legend-pictures.ts',
    ],
  },
  systeminformation: {
    reachesOut: 'it runs programs of the system; what asks other hosts is named inet…, and nobody may call that',
    usedIn: ['operations/system/portable-probe.ts'],
  },
  yauzl: { reachesOut: false, usedIn: ['gates/archive-gate.ts', 'gates/archive-gate/spooled-archive.ts'] },
  yazl: { reachesOut: false, usedIn: ['styling/package/write-package.ts'] },
};

/** Modules of Node that stay on this machine and in this process. Any other one is looked at name by name. */
const modulesInside: ReadonlySet<string> = new Set(
  [
    ['async_hooks', 'buffer', 'crypto', 'events', 'fs', 'fs/promises', 'os', 'path', 'path/posix', 'perf_hooks'],
    ['sqlite', 'stream', 'stream/consumers', 'stream/promises', 'timers/promises', 'url', 'util', 'v8', 'zlib'],
  ]
    .flat()
    .map((name) => `node:${name}`),
);

/** What the other modules of Node hold that leads nowhere: words, arithmetic with addresses, certificates. */
const harmlessNames: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['STATUS_CODES'],
  'node:net': ['BlockList', 'isIP'],
  'node:tls': ['getCACertificates'],
  'node:module': ['enableCompileCache'],
};

/** Files that use more of them, with the reason. */
const doors: Readonly<Record<string, readonly string[]>> = {
  // A client of a server that runs: what it opens, whoever calls it names.
  'cli/client/server-client.ts': ['node:https', 'node:http'],
  // Asks at the terminal.
  'cli/main.ts': ['node:readline/promises'],
  // The gate itself.
  'gates/url-gate/pinned-request.ts': [
    'node:http Agent',
    'node:http request',
    'node:https Agent',
    'node:https request',
  ],
  'gates/url-gate/resolver.ts': ['node:dns/promises lookup'],
  // Tells a connection that somebody has opened to us from a made-up one; it opens none.
  'http/response/send.ts': ['node:net Socket'],
  // Takes the words for statuses from a module of Node that Fastify has loaded anyway.
  'http/response/status-texts.ts': ['process.getBuiltinModule'],
  // Threads of this process, over which a source is read; what runs there is under the same guard.
  'vector/in-thread/driver.ts': ['node:worker_threads MessageChannel'],
  // The same for documents that are written in a thread.
  'formats/in-thread/encode-threads.ts': ['node:worker_threads MessageChannel'],
  // The same for maps that are painted in a thread.
  'rendering/painting/thread-surface.ts': ['node:worker_threads MessageChannel'],
  // Loads the driver's connection, which the driver shows nobody, to look at what comes over it first.
  'vector/documents/wire-guard.ts': ['node:module createRequire'],
  // Directories for logins: LDAP, at the host an administrator configured.
  'security/auth-providers/ldap/ldap-connection.ts': ['node:net connect', 'node:tls connect'],
  // Whom TLS with them trusts; it opens nothing.
  'security/auth-providers/ldap/ldap-session.ts': ['node:tls createSecureContext'],
  // Finds the folder of OpenLayers, and loads nothing.
  'services/ogc-api/features/pages/assets.ts': ['node:module createRequire'],
  // The program of a page: it runs in a browser, and may ask nobody but us there.
  'services/ogc-api/features/pages/map-script.ts': ['fetch('],
  'services/preview/preview-script.ts': ['fetch('],
  // A thread that works out hashes; it gets bytes and gives text.
  'storage/blobs/hash-thread-worker.ts': ['node:worker_threads parentPort'],
  'storage/blobs/hash-thread.ts': ['node:worker_threads Worker', 'new Worker'],
  // A thread that waits for the disk in place of everybody else; its whole program stands in the file.
  'storage/sqlite/checkpoints.ts': [
    'node:worker_threads Worker',
    'new Worker',
    "require('node:worker_threads')",
    "require('node:sqlite')",
  ],
  // A thread that looks through the database.
  'storage/sqlite/integrity-thread-worker.ts': ['node:worker_threads parentPort', 'node:worker_threads workerData'],
  'storage/sqlite/integrity-thread.ts': ['node:worker_threads Worker', 'new Worker'],
  // Finds the folder of the fonts, and loads nothing.
  'styling/legend/canvas/canvas.ts': ['node:module createRequire'],
  // Lets threads share the compiled form of our modules.
  'workers/pool.ts': ['node:module getCompileCacheDir'],
  // Loads the module of ours that a task names, and says which thread runs it.
  'workers/run-task.ts': ['node:worker_threads threadId', 'import('],
  // Starts this very program once more, with the options that its memory budget needs.
  'main.ts': ['process.execve'],
};

/** Ways out that need no import, and ways to import what nobody sees. */
const unseenWays: readonly RegExp[] = [
  /(?<![.\w'"-])fetch\s*\(/g,
  /(?<![.\w'"-])fetch(?=\s*[;,)\]}])/g,
  /\bnew (?:WebSocket|EventSource|XMLHttpRequest|Worker|SharedWorker|Function)\b/g,
  /\b(?:globalThis|global)\b(?=\s*[.[])/g,
  /\bprocess\.(?:binding|dlopen|execve|getBuiltinModule)\b/g,
  /(?<![.\w])(?:require|eval)\s*\((?:\s*['"][^'"]*['"]\s*\))?/g,
  /\bimport\((?!\s*['"])/g,
  // What libraries that are meant for something else offer to reach others with.
  /\b(?:loadImage|inet\w+)\b(?=\s*\()/g,
  /\bpino\.transport\b/g,
];

/** Which of them an import names, whole or by the path of one of its modules. */
function libraryOf(from: string): keyof typeof libraries | undefined {
  const [first = '', second = ''] = from.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return Object.hasOwn(libraries, name) ? (name as keyof typeof libraries) : undefined;
}

/** How a file could reach out by itself: `node:http request`, `pg`, `fetch(`. */
function waysOut({ path, code }: SourceFile): readonly string[] {
  const imported = importsOf(code).flatMap(({ from, names, isTypeOnly }) => {
    if (isTypeOnly || from.startsWith('.')) return [];
    const library = libraryOf(from);
    if (library !== undefined) return libraries[library].usedIn.includes(path) ? [] : [from];
    if (modulesInside.has(from)) return [];
    if (names === undefined) return [from];
    return names.filter((name) => !harmlessNames[from]?.includes(name)).map((name) => `${from} ${name}`);
  });
  return [...imported, ...unseenWays.flatMap((way) => code.match(way) ?? [])];
}

const files = await sourceFiles();

describe('lesson 12: the way out', () => {
  it('is the gate, and no other file of the server reaches out, but for those with a reason', () => {
    const reaching = Object.fromEntries(
      files.map((file) => [file.path, waysOut(file)] as const).filter(([, ways]) => ways.length > 0),
    );

    expect(files.length).toBeGreaterThan(50);
    expect(reaching).toEqual(doors);
  });

  it('is looked at anew with every library that is added, and forgotten with every one that goes', () => {
    expect(Object.keys(libraries)).toEqual(Object.keys(manifest.dependencies).sort());
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([
      'dependencies',
      'devDependencies',
    ]);
  });

  it.each(Object.entries(libraries))('of %s is only where it is said to be', (name, { usedIn }) => {
    const users = files.filter(({ code }) =>
      importsOf(code).some((each) => libraryOf(each.from) === name && !each.isTypeOnly),
    );

    expect(users.map(({ path }) => path)).toEqual([...usedIn].sort());
  });

  it.each([
    ["import { request } from 'node:https';", 'node:https request'],
    ["import { STATUS_CODES, request as ask } from 'node:http';", 'node:http request'],
    ["import * as net from 'node:net';", 'node:net'],
    ["import dns from 'dns';", 'dns default'],
    ["import { createSocket } from 'node:dgram';", 'node:dgram createSocket'],
    ["import {\n  spawn,\n} from 'node:child_process';", 'node:child_process spawn'],
    ["import { Worker } from 'node:worker_threads';", 'node:worker_threads Worker'],
    ["export { connect } from 'node:tls';", 'node:tls connect'],
    ["const { connect } = await import('node:net');", 'node:net'],
    ["import { Pool } from 'pg';", 'pg'],
    ["import { Client } from 'pg/lib/client.js';", 'pg/lib/client.js'],
    ["const { Client } = await import('ldapts');", 'ldapts'],
    ["import { fetch } from 'undici';", 'undici fetch'],
    ["import ws from 'ws';", 'ws default'],
    ["const reply = await fetch('http://x/');", 'fetch('],
    ['const get = options.get ?? fetch;', 'fetch'],
    ['const reply = await globalThis.fetch(url);', 'globalThis'],
    ["const socket = new WebSocket('ws://x/');", 'new WebSocket'],
    ["const http = require('http');", "require('http')"],
    ["const http = process.getBuiltinModule('http');", 'process.getBuiltinModule'],
    ['process.execve(program, []);', 'process.execve'],
    ['const { get } = await import(name);', 'import('],
    ['const image = await library.loadImage(href);', 'loadImage'],
  ])('would be noticed elsewhere: %s', (code, way) => {
    expect(waysOut({ path: 'lib/somewhere.ts', code })).toContain(way);
  });

  it.each([
    "import { isIP } from 'node:net';",
    "import type { IncomingMessage } from 'node:http';",
    "import type { PoolClient } from 'pg';",
    "const names = ['fetch size', 'sec-fetch-site'];",
    "type SystemInformation = typeof import('systeminformation');",
  ])('is not: %s', (code) => {
    expect(waysOut({ path: 'lib/somewhere.ts', code })).toEqual([]);
  });

  it('is closed without checks, whatever is asked for, and nothing is even looked up', async () => {
    const remote = await startRemoteServer((_request, response) => response.end());
    const gate = testGate({ names: { 'example.com': ['93.184.216.34'] } });

    for (const url of ['http://example.com/', 'https://example.com/', `http://127.0.0.1:${remote.port}/`]) {
      await expect(gate.open(url)).rejects.toMatchObject({ code: 'url-refused', status: 403 });
    }
    expect(gate.lookedUp).toEqual([]);
    expect(remote.asked).toEqual([]);
  });

  it('names the URL it refuses without its query', async () => {
    await expect(testGate().open('http://example.com/a?token=hunter2#x')).rejects.toThrow(
      "The URL 'http://example.com/a' is not allowed: no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^http://example[.]com/.*$.",
    );
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:,x',
    'jar:http://example.com!/x',
  ])('is closed for %s, even with a check that matches everything', async (url) => {
    await expect(testGate({ checks: { all: '.*' } }).open(url)).rejects.toMatchObject({ code: 'url-refused' });
  });
});
