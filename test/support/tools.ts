/** Every program that tests need besides Node: its purpose, its location, and how to install it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgis } from './find-postgis.ts';
import { findProgram, isExecutable, pathFolders } from './find-program.ts';
import type { PackageLists } from './package-lists.ts';
import { postgisPackages } from './postgis-packages.ts';
import { findPyproj } from './pyproj.ts';

/** The fonts that pictures of many scripts are drawn with. */
export const notoFonts = [
  ...['', 'Arabic', 'Bengali', 'Devanagari', 'Hebrew', 'Khmer', 'Myanmar', 'Tamil', 'Thai'].map(
    (script) => `/usr/share/fonts/truetype/noto/NotoSans${script}-Regular.ttf`,
  ),
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
];

/** The Python with the library: packages are installed for the system Python, which may not be first on the PATH. */
function findPythonWith(library: string): string | undefined {
  const pythons = [...pathFolders(), '/usr/bin'].map((folder) => join(folder, 'python3')).filter(isExecutable);
  return pythons.find((python) => spawnSync(python, ['-c', `import ${library}`]).status === 0);
}

export type ToolName =
  | 'postgis'
  | 'mariadb'
  | 'slapd'
  | 'gdal'
  | 'pyproj'
  | 'netcdf'
  | 'chromium'
  | 'curl'
  | 'requests'
  | 'owslib'
  | 'xmllint'
  | 'systemd'
  | 'promtool'
  | 'nginx'
  | 'caddy'
  | 'noto'
  | 'qgis';

export interface Tool {
  readonly title: string;
  readonly purpose: string;
  /** The test areas that need it. */
  readonly neededBy: readonly string[];
  /** Whether it is too large for every run: it is only used and installed for `npm run test:clients`. */
  readonly isLarge?: true;
  /** The program or its folder; undefined when any part is missing. */
  readonly find: () => string | undefined;
  /** The packages to install, selected from those available on this Debian or Ubuntu; empty if none is available. */
  readonly packages: (lists: PackageLists) => readonly string[];
  readonly byHand: string;
}

export const tools: Readonly<Record<ToolName, Tool>> = {
  postgis: {
    title: 'PostgreSQL with PostGIS',
    purpose: 'a private spatial database',
    neededBy: ['test/support'],
    find: findPostgis,
    packages: postgisPackages,
    byHand: 'apt-get install postgresql postgis (as root), or brew install postgis',
  },
  mariadb: {
    title: 'MariaDB server (mariadbd)',
    purpose: 'a private database of the MySQL family',
    neededBy: ['src/vector/mysql'],
    // openssl creates its certificate.
    find: () =>
      findProgram(['openssl']) &&
      findProgram(['mariadb-install-db'], ['/opt/homebrew/opt/mariadb/bin']) &&
      findProgram(['mariadbd'], ['/usr/sbin', '/usr/libexec', '/opt/homebrew/opt/mariadb/bin']),
    packages: (lists) => lists.matching('^(mariadb-server|openssl)$'),
    byHand: 'apt-get install mariadb-server openssl (as root), or brew install mariadb openssl',
  },
  slapd: {
    title: 'OpenLDAP server (slapd)',
    purpose: 'a private directory to log in against',
    neededBy: ['src/security/auth-providers'],
    // openssl creates its certificate.
    find: () =>
      findProgram(['openssl']) &&
      findProgram(['slapd'], ['/usr/sbin', '/usr/libexec', '/opt/homebrew/opt/openldap/libexec']),
    packages: (lists) => lists.matching('^(slapd|openssl)$'),
    byHand: 'apt-get install slapd openssl (as root), or brew install openldap openssl',
  },
  gdal: {
    title: 'GDAL (ogrinfo)',
    purpose: 'a second opinion on what our drivers read',
    neededBy: ['vector data', 'raster data'],
    find: () => findProgram(['ogrinfo']),
    packages: (lists) => lists.matching('^gdal-bin$'),
    byHand: 'apt-get install gdal-bin (as root), or brew install gdal',
  },
  pyproj: {
    title: 'PROJ for Python (pyproj)',
    purpose: 'a second opinion on every coordinate reference system',
    neededBy: ['coordinate reference systems'],
    find: findPyproj,
    packages: (lists) => lists.matching('^python3-pyproj$'),
    byHand: 'apt-get install python3-pyproj (as root), or pip install pyproj',
  },
  netcdf: {
    title: 'NetCDF (ncgen and ncdump)',
    purpose: 'NetCDF files to read, and a second opinion on them',
    neededBy: ['raster data'],
    // GDAL reads their samples.
    find: () => findProgram(['gdal_translate']) && findProgram(['ncdump']) && findProgram(['ncgen']),
    packages: (lists) => lists.matching('^(netcdf-bin|gdal-bin)$'),
    byHand: 'apt-get install netcdf-bin gdal-bin (as root), or brew install netcdf gdal',
  },
  chromium: {
    title: 'Chromium',
    purpose: 'a browser that looks at the HTML pages and at maps',
    neededBy: ['test/e2e', 'test/clients'],
    find: () => findProgram(['chromium', 'chromium-browser', 'google-chrome']),
    packages: (lists) => lists.matching('^chromium$'),
    byHand: 'apt-get install chromium (as root, on Debian), or any Chrome on the PATH',
  },
  curl: {
    title: 'curl',
    purpose: 'the lines that people paste into a shell',
    neededBy: ['test/e2e'],
    find: () => findProgram(['curl']),
    packages: (lists) => lists.matching('^curl$'),
    byHand: 'apt-get install curl (as root), or brew install curl',
  },
  requests: {
    title: 'Python with requests',
    purpose: 'programs as the users of Python clients write them',
    neededBy: ['test/clients'],
    find: () => findPythonWith('requests'),
    packages: (lists) => lists.matching('^python3-requests$'),
    byHand: 'apt-get install python3-requests (as root), or pip install requests',
  },
  owslib: {
    title: 'Python with OWSLib',
    purpose: 'a client of OGC services that many programs stand on',
    neededBy: ['test/clients'],
    find: () => findPythonWith('owslib'),
    packages: (lists) => lists.matching('^python3-owslib$'),
    byHand: 'apt-get install python3-owslib (as root), or pip install owslib',
  },
  xmllint: {
    title: 'xmllint',
    purpose: 'a second opinion on whether documents follow their schemas',
    neededBy: ['src/services'],
    find: () => findProgram(['xmllint']),
    packages: (lists) => lists.matching('^libxml2-utils$'),
    byHand: 'apt-get install libxml2-utils (as root), or brew install libxml2',
  },
  systemd: {
    title: 'systemd (systemd-analyze and systemd-notify) with Python',
    purpose: 'a second opinion on the unit, and the message that the server is ready',
    neededBy: ['test/e2e'],
    // Python receives the message: Node.js has no Unix datagram sockets.
    find: () => findProgram(['python3']) && findProgram(['systemd-analyze']) && findProgram(['systemd-notify']),
    packages: (lists) => lists.matching('^(systemd|python3-minimal)$'),
    byHand: 'apt-get install systemd python3-minimal (as root)',
  },
  promtool: {
    title: 'promtool of Prometheus',
    purpose: 'a second opinion on metrics, and the tests of alert rules',
    neededBy: ['test/structure'],
    find: () => findProgram(['promtool']),
    packages: (lists) => lists.matching('^prometheus$'),
    byHand: 'apt-get install prometheus (as root), or brew install prometheus',
  },
  nginx: {
    title: 'nginx',
    purpose: 'a proxy in front of two nodes',
    neededBy: ['test/e2e'],
    find: () => findProgram(['nginx'], ['/usr/sbin']),
    packages: (lists) => lists.matching('^nginx-light$'),
    byHand: 'apt-get install nginx-light (as root), or brew install nginx',
  },
  caddy: {
    title: 'Caddy',
    purpose: 'a proxy in front of two nodes',
    neededBy: ['test/e2e'],
    find: () => findProgram(['caddy']),
    packages: (lists) => lists.matching('^caddy$'),
    byHand: 'apt-get install caddy (as root), or brew install caddy',
  },
  noto: {
    title: 'Noto fonts',
    purpose: 'letters of many scripts',
    neededBy: ['test/gallery'],
    find: () => (notoFonts.every((font) => existsSync(font)) ? '/usr/share/fonts' : undefined),
    packages: (lists) => lists.matching('^fonts-noto-(core|cjk|color-emoji)$'),
    byHand: 'apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji (as root, on Debian)',
  },
  qgis: {
    title: 'QGIS for Python',
    purpose: 'the client that most people have',
    neededBy: ['test/qgis'],
    isLarge: true,
    find: () => findPythonWith('qgis.core'),
    packages: (lists) => lists.matching('^(python3-qgis|qgis-providers)$'),
    byHand: 'apt-get install python3-qgis qgis-providers (as root)',
  },
};
