/**
 * Lesson 12: every URL that the server opens passes the URL checks, and without a check nothing is opened.
 *
 * This file lists everything that can open outbound connections, with the only files that may use it. A new dependency,
 * or a new use of one in another file, must be added here with a reason.
 */
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startRemoteServer } from '../support/remote-server.ts';
import { parseImports, type SourceFile, sourceFiles } from '../support/source-files.ts';
import { testGate } from '../support/url-gates.ts';

interface Library {
  /** Whether it can open connections, run programs or start threads, and why it does not bypass the gate. */
  readonly reachesOut: false | string;
  /** The only files that may use it; any file may import its types. */
  readonly usedIn: readonly string[];
}

const libraries: Readonly<Record<keyof typeof manifest.dependencies, Library>> = {
  '@expo-google-fonts/arimo': { reachesOut: false, usedIn: [] },
  '@expo-google-fonts/carlito': { reachesOut: false, usedIn: [] },
  '@expo-google-fonts/cousine': { reachesOut: false, usedIn: [] },
  '@expo-google-fonts/tinos': { reachesOut: false, usedIn: [] },
  '@napi-rs/canvas': {
    reachesOut: 'its loadImage opens URLs and must not be called; we pass bytes',
    usedIn: ['styling/legend/canvas/canvas.ts'],
  },
  '@node-rs/argon2': { reachesOut: false, usedIn: ['security/core/passwords.ts'] },
  aws4fetch: {
    reachesOut: 'its client sends requests and must not be used; we use its signatures',
    usedIn: ['storage/objects/sign-request.ts'],
  },
  'dejavu-fonts-ttf': { reachesOut: false, usedIn: [] },
  fastify: { reachesOut: 'it listens, and opens no connections', usedIn: ['http/app.ts'] },
  geotiff: {
    reachesOut: 'its fromUrl opens URLs and must not be called; we pass bytes to its decoders',
    usedIn: ['raster/geotiff/geotiff-library.ts'],
  },
  h5wasm: {
    reachesOut: 'its file system is in memory and holds one file only; references to other files cannot be resolved',
    usedIn: ['raster/netcdf/hdf5-file.ts'],
  },
  hyparquet: {
    reachesOut: 'its asyncBufferFromUrl opens URLs and must not be called; we pass bytes to its parsers and decoders',
    usedIn: ['vector/geoparquet/parquet-library.ts'],
  },
  'hyparquet-writer': {
    reachesOut: 'its parquetWriteFile writes files and must not be called; we use its writer in memory',
    usedIn: ['formats/geoparquet/parquet-writer-library.ts'],
  },
  'iconv-lite': { reachesOut: false, usedIn: ['vector/shapefile/table/charset.ts'] },
  jsts: {
    reachesOut: false,
    usedIn: ['filter/predicate/topology.ts', 'geometry/geometry-operations.ts'],
  },
  ldapts: {
    reachesOut: 'directories for logins, at the host an administrator configured, over connections that we open for it',
    usedIn: ['security/auth-providers/ldap/ldap-session.ts', 'security/auth-providers/settings-rules.ts'],
  },
  mongodb: {
    reachesOut:
      'databases of stores, at hosts that administrators and --database-hosts allow; the server builds the URI, without client options',
    usedIn: [
      'vector/documents/bson-document.ts',
      'vector/documents/database.ts',
      'vector/documents/failure.ts',
      'vector/documents/query-filter.ts',
      'vector/documents/wire-guard.ts',
    ],
  },
  mysql2: {
    reachesOut: 'databases of stores, at hosts that administrators and --database-hosts allow; it reads no local files',
    usedIn: ['vector/mysql/connection/mysql-session.ts'],
  },
  ol: {
    reachesOut: 'it runs in browsers, where our pages allow it to contact only this server; here only its file is read',
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
  pino: { reachesOut: 'its transports start threads and must not be used', usedIn: ['server/log.ts'] },
  piscina: {
    reachesOut: 'it starts threads, which run our own modules only',
    usedIn: ['workers/run-task.ts', 'workers/thread-supply.ts'],
  },
  proj4: { reachesOut: false, usedIn: ['crs/transformer.ts'] },
  re2js: { reachesOut: false, usedIn: [] },
  saxes: { reachesOut: false, usedIn: ['lib/xml/reader.ts'] },
  sharp: {
    reachesOut: 'it packs and unpacks pictures in its own threads; we pass bytes, never names',
    usedIn: [
      'cli/compare/maps/picture-library.ts',
      'raster/support/picture-library.ts',
      'rendering/output/encode-animation.ts',
      'rendering/output/encode-picture.ts',
      'services/wcs/coverage/coverage-formats.ts',
      'services/wms/legend/legend-pictures.ts',
      'styling/graphics/sprite-sheet.ts',
    ],
  },
  systeminformation: {
    reachesOut:
      'it runs programs of the system; its functions that contact other hosts are named inet… and must not be called',
    usedIn: ['operations/system/portable-probe.ts'],
  },
  yaml: { reachesOut: false, usedIn: [] },
  yauzl: {
    reachesOut: false,
    usedIn: [
      'cli/leave/archive/download-configuration.ts',
      'gates/archive-gate.ts',
      'gates/archive-gate/spooled-archive.ts',
    ],
  },
  yazl: {
    reachesOut: false,
    usedIn: ['cli/leave/output/write-zip.ts', 'cli/move-in/archive/write-zip.ts', 'styling/package/write-package.ts'],
  },
};

/** Node modules that stay inside this machine and process. Imports from other Node modules are checked name by name. */
const modulesInside: ReadonlySet<string> = new Set(
  [
    ['async_hooks', 'buffer', 'crypto', 'events', 'fs', 'fs/promises', 'os', 'path', 'path/posix', 'perf_hooks'],
    ['sqlite', 'stream', 'stream/consumers', 'stream/promises', 'timers/promises', 'url', 'util', 'v8', 'zlib'],
  ]
    .flat()
    .map((name) => `node:${name}`),
);

/** Harmless exports of the other Node modules: constants, address arithmetic, certificates. */
const harmlessNames: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['STATUS_CODES'],
  'node:net': ['BlockList', 'isIP'],
  'node:tls': ['getCACertificates'],
  'node:module': ['enableCompileCache'],
};

/** Files that use further exports, with the reason. */
const doors: Readonly<Record<string, readonly string[]>> = {
  // Client of running servers: connects only to the addresses that the command line names.
  'cli/client/send-request.ts': ['node:https', 'node:http'],
  // Prompts at the terminal.
  'cli/main.ts': ['node:readline/promises'],
  // The gate itself.
  // Keeps connections of the gate for ranges of a file.
  'gates/url-gate/kept-connections.ts': ['node:http Agent', 'node:https Agent'],
  'gates/url-gate/pinned-request.ts': [
    'node:http Agent',
    'node:http request',
    'node:https Agent',
    'node:https request',
  ],
  'gates/url-gate/resolver.ts': ['node:dns/promises lookup'],
  // Bodies of incoming requests, which it distinguishes from other streams; opens no connection.
  'http/body/uploads.ts': ['node:http IncomingMessage'],
  // Distinguishes real incoming connections from simulated ones; opens none.
  'http/response/reply.ts': ['node:net Socket'],
  // Requests and responses of incoming connections with HTTP/2; opens none.
  'http/tls/secure-connections.ts': [
    'node:http2 constants',
    'node:http2 Http2ServerRequest',
    'node:http2 Http2ServerResponse',
  ],
  // Checks the certificate of this server; opens no connection.
  'server/certificate.ts': ['node:tls createSecureContext'],
  // Reads status texts from a Node module that Fastify loads anyway.
  'http/response/status-texts.ts': ['process.getBuiltinModule'],
  // The heap limit of its thread.
  'vector/support/kept-bytes.ts': ['node:worker_threads resourceLimits'],
  // Threads of this process that read a source; the same guard applies there.
  'vector/in-thread/driver.ts': ['node:worker_threads MessageChannel'],
  'vector/in-thread/read-session.ts': ['node:worker_threads MessageChannel'],
  // The same for threads that write documents.
  'formats/in-thread/encode-threads.ts': ['node:worker_threads MessageChannel'],
  // The same for threads that paint maps.
  'rendering/painting/painter-thread.ts': ['node:worker_threads MessageChannel'],
  // The same for threads that read remote files: the main thread reads them through the gate.
  'remote/range-channel.ts': ['node:worker_threads MessageChannel', 'node:worker_threads receiveMessageOnPort'],
  // Loads the connection class, which the driver does not export, to inspect the first incoming bytes.
  'vector/documents/wire-guard.ts': ['node:module createRequire'],
  // LDAP directories for logins, at the host an administrator configured.
  'security/auth-providers/ldap/ldap-connection.ts': ['node:net connect', 'node:tls connect'],
  // The certificates trusted for TLS to these directories; opens no connection.
  'security/auth-providers/ldap/ldap-session.ts': ['node:tls createSecureContext'],
  // Resolves the folder of OpenLayers without loading it.
  'services/ogc-api/features/pages/assets.ts': ['node:module createRequire'],
  // The script of a page: it runs in a browser, where it may send requests to this server only.
  'services/ogc-api/features/pages/map-script.ts': ['fetch('],
  'services/preview/preview-script.ts': ['fetch('],
  // Listens for a moment on the address of the settings; opens no connection.
  'server/maintenance/checks.ts': ['node:net createServer'],
  // Sends traces to the collector that the operator names in the environment.
  'server/tracing/span-exporter.ts': ['fetch('],
  // Runs systemd-notify, with the state of the server as its arguments, if systemd started the server.
  'server/notify-systemd.ts': ['node:child_process execFile'],
  // A thread that computes hashes; it receives bytes and returns text.
  'storage/blobs/hash-thread-worker.ts': ['node:worker_threads parentPort'],
  'storage/blobs/hash-thread.ts': ['node:worker_threads Worker', 'new Worker'],
  // The object stores that --blobs and --tiles name on the command line of the operator.
  'storage/objects/send-request.ts': ['node:http Agent', 'node:http request', 'node:https Agent', 'node:https request'],
  // A thread that waits for the disk so that other work continues; the file contains its whole program.
  'storage/sqlite/checkpoints.ts': [
    'node:worker_threads Worker',
    'new Worker',
    "require('node:worker_threads')",
    "require('node:sqlite')",
  ],
  // Threads that hash open files for a backup.
  'server/backup/file-hash-worker.ts': ['node:worker_threads parentPort'],
  'server/backup/file-hash-threads.ts': ['node:worker_threads Worker', 'new Worker'],
  // A thread that writes backups.
  'server/backup/backup-worker.ts': ['node:worker_threads parentPort', 'node:worker_threads workerData'],
  'server/backup/open-backups.ts': ['node:worker_threads Worker', 'new Worker'],
  // A thread that writes the archive of a tile export; it receives tiles.
  'tiles/exports/archive-thread-worker.ts': ['node:worker_threads parentPort', 'node:worker_threads workerData'],
  'tiles/exports/archive-thread.ts': ['node:worker_threads Worker', 'new Worker'],
  // A thread that scans the database.
  'storage/sqlite/integrity-thread-worker.ts': ['node:worker_threads parentPort', 'node:worker_threads workerData'],
  'storage/sqlite/integrity-thread.ts': ['node:worker_threads Worker', 'new Worker'],
  // Loads the bundler of the console in a checkout; a package contains the built files.
  'interface/console/console-files.ts': ['import('],
  // Loads the engine of regular expressions with the first expression.
  'lib/linear-regex/engine.ts': ['node:module createRequire', "require('re2js')"],
  // Resolves the folder of the fonts without loading them, and passes the names of font folders to threads.
  'styling/fonts/font-registry.ts': [
    'node:module createRequire',
    'node:worker_threads getEnvironmentData',
    'node:worker_threads setEnvironmentData',
  ],
  // Loads the YAML parser with the first style that needs it.
  'styling/ysld/parse-document.ts': ['node:module createRequire'],
  // Lets threads share the compile cache of the server modules.
  'workers/pool.ts': ['node:module getCompileCacheDir'],
  // Starts programs of the server in processes of their own, with a line of input; they get no environment.
  'workers/processes.ts': [
    'node:child_process spawn',
    'node:worker_threads isMainThread',
    'node:worker_threads parentPort',
  ],
  // Such a program: it reads a view of a file that was checked, and its output.
  'vector/geopackage/read-view.ts': ['node:worker_threads MessageChannel'],
  'vector/geopackage/view-process.ts': ['node:worker_threads Worker', 'new Worker'],
  'vector/geopackage/view-thread.ts': ['node:worker_threads workerData'],
  // Loads the server module that a task names, and reports which thread runs it.
  'workers/run-task.ts': ['node:worker_threads threadId', 'import('],
  // Restarts this program with the options that its memory budget needs.
  'main.ts': ['process.execve'],
};

/** Outbound calls that need no import, and imports that static analysis cannot see. */
const unseenWays: readonly RegExp[] = [
  /(?<![.\w'"-])fetch\s*\(/g,
  /(?<![.\w'"-])fetch(?=\s*[;,)\]}])/g,
  /\bnew (?:WebSocket|EventSource|XMLHttpRequest|Worker|SharedWorker|Function)\b/g,
  /\b(?:globalThis|global)\b(?=\s*[.[])/g,
  /\bprocess\.(?:binding|dlopen|execve|getBuiltinModule)\b/g,
  /(?<![.\w])(?:require|eval)\s*\((?:\s*['"][^'"]*['"]\s*\))?/g,
  /\bimport\((?!\s*['"])/g,
  // Outbound functions of libraries that serve another purpose.
  /\b(?:loadImage|inet\w+)\b(?=\s*\()/g,
  /\bpino\.transport\b/g,
];

/** The library that an import names, as a whole or by the path of one of its modules. */
function libraryOf(from: string): keyof typeof libraries | undefined {
  const [first = '', second = ''] = from.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return Object.hasOwn(libraries, name) ? (name as keyof typeof libraries) : undefined;
}

/** The ways a file could open a connection itself: `node:http request`, `pg`, `fetch(`. */
function waysOut({ path, code }: SourceFile): readonly string[] {
  const imported = parseImports(code).flatMap(({ from, names, isTypeOnly }) => {
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

describe('lesson 12: outbound connections', () => {
  it('only the gate opens outbound connections, except in files with a documented reason', () => {
    const reaching = Object.fromEntries(
      files.map((file) => [file.path, waysOut(file)] as const).filter(([, ways]) => ways.length > 0),
    );

    expect(files.length).toBeGreaterThan(50);
    expect(reaching).toEqual(doors);
  });

  it('reviews every dependency, and lists no removed dependency', () => {
    expect(Object.keys(libraries)).toEqual(Object.keys(manifest.dependencies).sort());
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([
      'dependencies',
      'devDependencies',
    ]);
  });

  it.each(Object.entries(libraries))('finds %s in the listed files only', (name, { usedIn }) => {
    const users = files.filter(({ code }) =>
      parseImports(code).some((each) => libraryOf(each.from) === name && !each.isTypeOnly),
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
  ])('detects outbound code in other files: %s', (code, way) => {
    expect(waysOut({ path: 'lib/somewhere.ts', code })).toContain(way);
  });

  it.each([
    "import { isIP } from 'node:net';",
    "import type { IncomingMessage } from 'node:http';",
    "import type { PoolClient } from 'pg';",
    "const names = ['fetch size', 'sec-fetch-site'];",
    "type SystemInformation = typeof import('systeminformation');",
  ])('does not report harmless code: %s', (code) => {
    expect(waysOut({ path: 'lib/somewhere.ts', code })).toEqual([]);
  });

  it('rejects every URL before any DNS lookup when no check exists', async () => {
    const remote = await startRemoteServer((_request, response) => response.end());
    const gate = testGate({ names: { 'example.com': ['93.184.216.34'] } });

    for (const url of ['http://example.com/', 'https://example.com/', `http://127.0.0.1:${remote.port}/`]) {
      await expect(gate.open(url)).rejects.toMatchObject({ code: 'url-refused', status: 403 });
    }
    expect(gate.lookedUp).toEqual([]);
    expect(remote.asked).toEqual([]);
  });

  it('names a rejected URL without its query', async () => {
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
  ])('rejects %s, even with a check that matches everything', async (url) => {
    await expect(testGate({ checks: { all: '.*' } }).open(url)).rejects.toMatchObject({ code: 'url-refused' });
  });
});
