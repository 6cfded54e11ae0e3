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
  it('have defaults that serve one machine', () => {
    expect(settings([])).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('graticule-data'),
      contextPath: '/geoserver',
      publicUrl: undefined,
      compat: undefined,
      externalRoots: [],
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
      tileCacheMb: 1024,
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
    ['--tile-cache-mb', '0', 'tileCacheMb', 0],
    ['--log-level', 'debug', 'logLevel', 'debug'],
    ['--log-format', 'json', 'logFormat', 'json'],
    ['--max-document-bytes', '2048', 'maxDocumentBytes', 2048],
    ['--request-timeout-ms', '1000', 'requestTimeoutMs', 1000],
    ['--store-timeout-ms', '100', 'storeTimeoutMs', 100],
    ['--drain-timeout-ms', '0', 'drainTimeoutMs', 0],
  ] as const)('%s %s is a flag and an environment variable', (flag, value, name, expected) => {
    const variable = `GRATICULE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

    expect(settings([flag, value])[name]).toEqual(expected);
    expect(settings([`${flag}=${value}`])[name]).toEqual(expected);
    expect(settings([], { [variable]: value })[name]).toEqual(expected);
  });

  it('prefer the flag to the environment', () => {
    expect(settings(['--port', '1'], { GRATICULE_PORT: '2' }).port).toBe(1);
    expect(settings(['--port', '1'], { GRATICULE_PORT: 'nonsense' }).port).toBe(1);
  });

  it('take several external roots', () => {
    expect(settings(['--external-root', '/a', '--external-root', '/b']).externalRoots).toEqual(['/a', '/b']);
    expect(settings([], { GRATICULE_EXTERNAL_ROOT: '/a:/b' }).externalRoots).toEqual(['/a', '/b']);
  });

  it('name the proxies to believe', () => {
    const { trustedProxies } = settings(['--trust-proxy', 'loopback, 10.0.0.0/8']);

    expect(['127.0.0.1', '10.2.3.4', '192.0.2.1'].map((each) => trustedProxies.includes(each))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('take the password from the environment, and never from the command line, where all can see it', () => {
    expect(settings([], { GRATICULE_ADMIN_PASSWORD: 'very se cret' }).adminPassword).toBe('very se cret');
    expect(() => settings(['--admin-password', 'secret'])).toThrow("Unknown option '--admin-password'");
  });

  it.each([
    ['npm_config_port', '--port'],
    ['npm_config_data_dir', '--data-dir'],
    ['npm_config_open_metrics', '--open-metrics'],
  ])('hint at the two dashes that are missing when npm took a flag: %s', (variable, flag) => {
    expect(() => settings([], { npm_lifecycle_event: 'start', [variable]: '1' })).toThrow(
      `npm took ${flag} for a setting of its own; write two dashes before it: npm start -- ${flag} …`,
    );
    expect(settings([], { npm_lifecycle_event: 'test', [variable]: '1' }).port).toBe(8080);
  });

  it.each([
    [['--port', '65536'], "--port has the value '65536', but a whole number from 0 to 65535 was expected."],
    [['--port', '8080.5'], "--port has the value '8080.5', but a whole number from 0 to 65535 was expected."],
    [['--port=-1'], "--port has the value '-1', but a whole number from 0 to 65535 was expected."],
    [['--port='], "--port has the value '', but a whole number from 0 to 65535 was expected."],
    [['--host', ''], "--host has the value '', but some text was expected."],
    [['--data-dir', ''], "--data-dir has the value '', but a directory was expected."],
    [['--context-path', 'maps'], "--context-path has the value 'maps', but a path such as /geoserver, or / for none"],
    [['--context-path', '/a//b'], "--context-path has the value '/a//b', but"],
    [['--context-path', '/a/../b'], "--context-path has the value '/a/../b', but"],
    [['--context-path', '/.'], "--context-path has the value '/.', but"],
    [['--context-path', '/a b'], "--context-path has the value '/a b', but"],
    [['--public-url', 'maps.example.org'], "--public-url has the value 'maps.example.org', but an http or https URL"],
    [['--public-url', 'ftp://maps.example.org'], 'but an http or https URL without query was expected.'],
    [['--public-url', 'http://maps.example.org/?'], 'but an http or https URL without query was expected.'],
    [['--public-url', 'http://maps.example.org/#top'], 'but an http or https URL without query was expected.'],
    [['--public-url', 'http://:secret@maps.example.org'], 'but an http or https URL without query was expected.'],
    [['--compat', 'GeoServer'], "--compat has the value 'GeoServer', but geoserver was expected."],
    [['--trust-proxy', 'proxy.example.org'], "--trust-proxy has the value 'proxy.example.org', but addresses"],
    [['--database-hosts', 'db:5432'], "--database-hosts has the value 'db:5432', but names or addresses of hosts"],
    [['--database-hosts', 'a,,b'], 'but names or addresses of hosts separated by commas was expected.'],
    [['--log-level', 'loud'], "--log-level has the value 'loud', but one of error, warn, info, debug was expected."],
    [['--max-document-bytes', '1'], 'but a whole number from 1024 to 1073741824 was expected.'],
    [['--host', 'a\nb\u001b[2J', '--port', 'x\ny'], "--port has the value 'x\ufffdy', but"],
    [['--port', '1', '--port', '2'], '--port is given 2 times; one value was expected.'],
    [['--nonsense'], "Unknown option '--nonsense'; --help lists the settings."],
    [['--port'], "Option '--port <value>' argument missing; --help lists the settings."],
    [['--port', '--host'], "Option '--port' argument is ambiguous; --help lists the settings."],
    [['serve'], "Unexpected argument 'serve'"],
    [['--no-port'], "Unknown option '--no-port'"],
    [['--help=now'], "Option '--help' does not take an argument"],
  ])('%j stops the start with one line', (args, message) => {
    const start = () => readSettings(args, {});

    expect(start).toThrow(SettingError);
    expect(start).toThrow(message);
    expect(start).not.toThrow('\n');
  });

  it('name the environment variable that is wrong, and never show a password', () => {
    expect(() => settings([], { GRATICULE_PORT: 'http' })).toThrow("GRATICULE_PORT has the value 'http', but");
    expect(() => settings([], { GRATICULE_ADMIN_PASSWORD: '' })).toThrow(
      'GRATICULE_ADMIN_PASSWORD is invalid: a password of at least 8 characters was expected.',
    );
  });
});

describe('--help and --version', () => {
  it('win over everything but nonsense', () => {
    expect(readSettings(['--help', '--port', 'nonsense'], {})).toEqual({ kind: 'help' });
    expect(readSettings(['--version'], { GRATICULE_PORT: 'nonsense' })).toEqual({ kind: 'version' });
    expect(readSettings(['--version', '--help'], {})).toEqual({ kind: 'help' });
  });

  it('list every setting with its flag, its variable and its default', () => {
    const help = formatHelpText();

    for (const name of Object.keys(settings([]))) {
      const flag = { externalRoots: 'external-root', trustedProxies: 'trust-proxy' }[name];
      const spelled = flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(help).toContain(`GRATICULE_${spelled.replaceAll('-', '_').toUpperCase()}`);
      expect(help.includes(`--${spelled} `)).toBe(name !== 'adminPassword' && name !== 'serverKey');
    }
    expect(help).toContain('--port N');
    expect(help).toContain('The port to listen on; 0 takes a free one. [8080]');
  });
});
