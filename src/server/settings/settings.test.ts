import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatHelpText, readSettings, SettingError, type Settings } from './settings.ts';

function settings(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Settings {
  const command = readSettings(args, environment);
  if (command.kind !== 'run') {
    throw new Error('These arguments run no server');
  }
  return command.settings;
}

describe('settings', () => {
  it('have defaults for a single machine', () => {
    expect(settings([])).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('graticule-data'),
      contextPath: '/geoserver',
      publicUrl: undefined,
      compat: undefined,
      externalRoots: [],
      fonts: [],
      systemFonts: false,
      databaseHosts: undefined,
      adminPasswordFile: undefined,
      adminPassword: undefined,
      resetAdminPassword: false,
      closed: false,
      serverKeyFile: undefined,
      serverKey: undefined,
      historyDays: 365,
      undoFilesHours: 24,
      memory: undefined,
      workers: undefined,
      tileCacheMb: 1024,
      tileExportsMb: 10240,
      logLevel: 'info',
      logFormat: 'auto',
      maxDocumentBytes: 10_485_760,
      requestTimeoutMs: 300_000,
      storeTimeoutMs: 30_000,
      drainTimeoutMs: 10_000,
    });
    expect(settings([]).trustedProxies.includes('127.0.0.1')).toBe(false);
  });

  it.each([
    ['--host', '::1', 'host', '::1'],
    ['--port', '0', 'port', 0],
    ['--port', '65535', 'port', 65_535],
    ['--data-dir', '/srv/maps', 'dataDir', '/srv/maps'],
    ['--data-dir', 'maps', 'dataDir', resolve('maps')],
    ['--context-path', '/', 'contextPath', ''],
    ['--context-path', '/maps/', 'contextPath', '/maps'],
    ['--context-path', '/a/b-c_d.e~f', 'contextPath', '/a/b-c_d.e~f'],
    ['--public-url', 'https://maps.example.org', 'publicUrl', 'https://maps.example.org'],
    ['--public-url', 'https://maps.example.org/gis//', 'publicUrl', 'https://maps.example.org/gis'],
    ['--public-url', ' HTTP://Maps.Example.org:8080/Gis ', 'publicUrl', 'http://maps.example.org:8080/Gis'],
    ['--compat', 'geoserver', 'compat', 'geoserver'],
    ['--external-root', '/srv/rasters', 'externalRoots', ['/srv/rasters']],
    ['--database-hosts', 'DB.example.org, 10.0.0.7,::1', 'databaseHosts', ['db.example.org', '10.0.0.7', '::1']],
    ['--admin-password-file', '/run/secret', 'adminPasswordFile', '/run/secret'],
    ['--server-key-file', '/run/server.key', 'serverKeyFile', '/run/server.key'],
    ['--history-days', '0', 'historyDays', 0],
    ['--history-days', '36500', 'historyDays', 36_500],
    ['--undo-files-hours', '0', 'undoFilesHours', 0],
    ['--memory', '512MB', 'memory', 536_870_912],
    ['--memory', '1.5 GiB', 'memory', 1_610_612_736],
    ['--memory', '256m', 'memory', 268_435_456],
    ['--workers', '1', 'workers', 1],
    ['--tile-cache-mb', '0', 'tileCacheMb', 0],
    ['--log-level', 'debug', 'logLevel', 'debug'],
    ['--log-format', 'json', 'logFormat', 'json'],
    ['--max-document-bytes', '2048', 'maxDocumentBytes', 2048],
    ['--request-timeout-ms', '1000', 'requestTimeoutMs', 1000],
    ['--store-timeout-ms', '100', 'storeTimeoutMs', 100],
    ['--drain-timeout-ms', '0', 'drainTimeoutMs', 0],
  ] as const)('%s %s can be set as a flag and as an environment variable', (flag, value, name, expected) => {
    const variable = `GRATICULE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

    expect(settings([flag, value])[name]).toEqual(expected);
    expect(settings([`${flag}=${value}`])[name]).toEqual(expected);
    expect(settings([], { [variable]: value })[name]).toEqual(expected);
  });

  it('prefer the flag to the environment variable', () => {
    expect(settings(['--port', '1'], { GRATICULE_PORT: '2' }).port).toBe(1);
    expect(settings(['--port', '1'], { GRATICULE_PORT: 'nonsense' }).port).toBe(1);
  });

  it('accept several external roots', () => {
    expect(settings(['--external-root', '/a', '--external-root', '/b']).externalRoots).toEqual(['/a', '/b']);
    expect(settings([], { GRATICULE_EXTERNAL_ROOT: '/a:/b' }).externalRoots).toEqual(['/a', '/b']);
  });

  it('accept trusted proxies', () => {
    const { trustedProxies } = settings(['--trust-proxy', 'loopback, 10.0.0.0/8']);

    expect(['127.0.0.1', '10.2.3.4', '192.0.2.1'].map((each) => trustedProxies.includes(each))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('read the password from the environment, but not from the command line, where other users could see it', () => {
    expect(settings([], { GRATICULE_ADMIN_PASSWORD: 'very se cret' }).adminPassword).toBe('very se cret');
    expect(() => settings(['--admin-password', 'secret'])).toThrow("Unknown option '--admin-password'");
  });

  it.each([
    ['npm_config_port', '--port'],
    ['npm_config_data_dir', '--data-dir'],
    ['npm_config_open_metrics', '--open-metrics'],
  ])('suggest the two dashes if npm consumed %s', (variable, flag) => {
    expect(() => settings([], { npm_lifecycle_event: 'start', [variable]: '1' })).toThrow(
      `npm consumed ${flag} as its own option. Write two dashes before it: npm start -- ${flag} …`,
    );
    expect(settings([], { npm_lifecycle_event: 'test', [variable]: '1' }).port).toBe(8080);
  });

  it.each([
    [['--port', '65536'], "Invalid value '65536' for --port. Expected a whole number from 0 to 65535."],
    [['--port', '8080.5'], "Invalid value '8080.5' for --port. Expected a whole number from 0 to 65535."],
    [['--port=-1'], "Invalid value '-1' for --port. Expected a whole number from 0 to 65535."],
    [['--port='], "Invalid value '' for --port. Expected a whole number from 0 to 65535."],
    [['--host', ''], "Invalid value '' for --host. Expected non-empty text."],
    [['--data-dir', ''], "Invalid value '' for --data-dir. Expected a directory."],
    [
      ['--blobs', 's3://key:secret@maps'],
      "Invalid value 's3://…@maps' for --blobs. Expected a directory, or an address",
    ],
    [['--blobs', 'gs://maps'], "Invalid value 'gs://maps' for --blobs. Expected a directory, or an address"],
    [
      ['--context-path', 'maps'],
      "Invalid value 'maps' for --context-path. Expected a path such as /geoserver, or / for no path",
    ],
    [['--context-path', '/a//b'], "Invalid value '/a//b' for --context-path. Expected"],
    [['--context-path', '/a/../b'], "Invalid value '/a/../b' for --context-path. Expected"],
    [['--context-path', '/.'], "Invalid value '/.' for --context-path. Expected"],
    [['--context-path', '/a b'], "Invalid value '/a b' for --context-path. Expected"],
    [
      ['--public-url', 'maps.example.org'],
      "Invalid value 'maps.example.org' for --public-url. Expected an http or https URL",
    ],
    [['--public-url', 'ftp://maps.example.org'], 'Expected an http or https URL without a query.'],
    [['--public-url', 'http://maps.example.org/?'], 'Expected an http or https URL without a query.'],
    [['--public-url', 'http://maps.example.org/#top'], 'Expected an http or https URL without a query.'],
    [['--public-url', 'http://:secret@maps.example.org'], 'Expected an http or https URL without a query.'],
    [['--compat', 'GeoServer'], "Invalid value 'GeoServer' for --compat. Expected geoserver."],
    [['--trust-proxy', 'proxy.example.org'], "Invalid value 'proxy.example.org' for --trust-proxy. Expected addresses"],
    [['--database-hosts', 'db:5432'], "Invalid value 'db:5432' for --database-hosts. Expected host names or addresses"],
    [['--database-hosts', 'a,,b'], 'Expected host names or addresses separated by commas.'],
    [['--log-level', 'loud'], "Invalid value 'loud' for --log-level. Expected one of error, warn, info, debug."],
    [['--max-document-bytes', '1'], 'Expected a whole number from 1024 to 1073741824.'],
    [['--host', 'a\nb\u001b[2J', '--port', 'x\ny'], "Invalid value 'x\ufffdy' for --port. Expected"],
    [['--port', '1', '--port', '2'], '--port is set 2 times. Set it once.'],
    [['--nonsense'], "Unknown option '--nonsense'. Run with --help for the list of settings."],
    [
      ['--port'],
      'The value of --port is missing. If it begins with a dash, write --port=VALUE. Run with --help for the list of settings.',
    ],
    [
      ['--port', '--host'],
      'The value of --port is missing. If it begins with a dash, write --port=VALUE. Run with --help for the list of settings.',
    ],
    [['serve'], "Unexpected argument 'serve'"],
    [['--no-port'], "Unknown option '--no-port'"],
    [['--help=now'], "Option '--help' does not take an argument"],
  ])('%j stops the start with a one-line error', (args, message) => {
    const start = () => readSettings(args, {});

    expect(start).toThrow(SettingError);
    expect(start).toThrow(message);
    expect(start).not.toThrow('\n');
  });

  it('name the invalid environment variable and never show a password', () => {
    expect(() => settings([], { GRATICULE_PORT: 'http' })).toThrow("Invalid value 'http' for GRATICULE_PORT. Expected");
    expect(() => settings([], { GRATICULE_ADMIN_PASSWORD: '' })).toThrow(
      'Invalid value for GRATICULE_ADMIN_PASSWORD. Expected a password of at least 8 characters.',
    );
  });
});

describe('--help and --version', () => {
  it('take precedence over all other options except invalid ones', () => {
    expect(readSettings(['--help', '--port', 'nonsense'], {})).toEqual({ kind: 'help' });
    expect(readSettings(['--version'], { GRATICULE_PORT: 'nonsense' })).toEqual({ kind: 'version' });
    expect(readSettings(['--version', '--help'], {})).toEqual({ kind: 'help' });
  });

  it('lists every setting with its flag, variable and default', () => {
    const help = formatHelpText({ program: 'graticule', commands: {} });

    for (const name of Object.keys(settings([]))) {
      const flag = { externalRoots: 'external-root', trustedProxies: 'trust-proxy' }[name];
      const spelled = flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const variable = spelled.replaceAll('-', '_').toUpperCase();
      // Credentials of object stores have standard names.
      expect(help).toContain(name.startsWith('aws') ? ` ${variable}\n` : `GRATICULE_${variable}`);
      expect(help.includes(`--${spelled} `)).toBe(
        ![
          ...['adminPassword', 'serverKey', 'previousServerKeys', 'backupPassphrase'],
          ...['awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'],
        ].includes(name),
      );
    }
    expect(help).toContain('--port N');
    expect(help).toContain('Port to listen on; 0 selects a free port. [8080]');
  });

  it('lists the commands and the program as the user has started it', () => {
    const help = formatHelpText({ program: 'npm start --', commands: { doctor: 'Checks the server.' } });

    expect(help).toContain('Usage: npm start -- [serve] [settings] ');
    expect(help).toContain('       npm start -- COMMAND [options] ');
    expect(help).toContain('Commands:\n  doctor     Checks the server.\n');
  });
});
