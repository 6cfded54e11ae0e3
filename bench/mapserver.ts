/** MapServer as a FastCGI program behind lighttpd on the measured data: the baseline of the services. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptPackages } from '../test/support/apt.ts';
import { findProgram } from '../test/support/find-program.ts';
import { prepareTool } from '../test/support/prepare-tool.ts';
import { freePort } from '../test/support/services/free-port.ts';
import { startSupervisedServer } from '../test/support/services/supervised-server.ts';
import type { Tool } from '../test/support/tools.ts';
import { readProcessorMs, untilAnswered } from './child.ts';
import type { BenchedDatabase } from './postgis-tables.ts';

/** The data of both servers: shapefiles, rasters, and tables with the columns `id` and `geom`. */
export interface ServedData {
  readonly shapefiles: readonly { readonly layer: string; readonly path: string }[];
  readonly tables?: { readonly names: readonly string[]; readonly database: BenchedDatabase };
  /** Whether all layers have points instead of polygons. */
  readonly isPoints?: boolean;
  /** `look` contains classes; none for the colors of the file. */
  readonly rasters?: readonly { readonly layer: string; readonly path: string; readonly look: string }[];
  /** Shapefiles that are labelled with their attribute `name`, all with one font. */
  readonly labelled?: { readonly font: string; readonly layers: readonly LabelledData[] };
}

interface LabelledData {
  readonly layer: string;
  readonly path: string;
  readonly type: 'POINT' | 'LINE';
  /** The styles of a class. */
  readonly look: string;
  /** The position and size of its labels. */
  readonly position: string;
}

export interface MapServer {
  /** The URL of its WFS. */
  readonly url: string;
  /** CPU time of its processes so far, in steps of 10 ms. */
  processorMs(): Promise<number>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** One process for each parallel client, so that none waits for a process. */
const PROCESSES = 8;

const tool: Tool = {
  title: 'MapServer and lighttpd',
  purpose: 'a server of features to stand beside',
  neededBy: [],
  find: () => findLighttpd() && findMapserv(),
  packages: (lists) => lists.matching('^(cgi-mapserver|lighttpd)$'),
  byHand: 'apt-get install cgi-mapserver lighttpd (as root)',
};

function findMapserv(): string | undefined {
  return findProgram(['mapserv'], ['/usr/lib/cgi-bin']);
}

function findLighttpd(): string | undefined {
  return findProgram(['lighttpd'], ['/usr/sbin']);
}

/** Installs it if allowed; returns the reason if it is unavailable. */
export async function prepareMapServer(announce: (line: string) => void): Promise<string | undefined> {
  const prepared = await prepareTool(tool, aptPackages(announce));
  return prepared.kind === 'missing' ? `${prepared.reason}; to get it: ${tool.byHand}` : undefined;
}

export async function startMapServer(data: ServedData): Promise<MapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-mapserver-'));
  const port = await freePort(HOST);
  const url = `http://${HOST}:${port}/map`;
  const mapFile = join(folder, 'bench.map');
  const settings = join(folder, 'mapserver.conf');
  const configuration = join(folder, 'lighttpd.conf');
  await writeFile(mapFile, mapFileFor(data, url, folder), { mode: 0o600 });
  await writeFile(join(folder, 'fonts.list'), `sans ${data.labelled?.font ?? ''}\n`);
  await writeFile(settings, `CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n    MS_MAPFILE "${mapFile}"\n  END\nEND\n`);
  await writeFile(configuration, lighttpdConfiguration(folder, port, settings));
  const server = startSupervisedServer({
    folder,
    user: undefined,
    preparations: [],
    server: [findLighttpd() ?? 'lighttpd', '-D', '-f', configuration],
    stopSignal: 'SIGTERM',
  });
  await Promise.race([untilAnswered(`${url}?service=WFS&request=GetCapabilities`), server.unexpectedEnd]);
  return {
    url,
    processorMs: () => sumProcessorMs(settings),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The settings in the environment identify the processes. */
async function sumProcessorMs(settings: string): Promise<number> {
  let total = 0;
  for (const pid of await readdir('/proc')) {
    const environment = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '') : '';
    if (environment.includes(settings)) total += await readProcessorMs(Number(pid));
  }
  return total;
}

/**
 * Responses are streamed, as by our server. Its processes are killed with it: a graceful stop would wait for their next
 * request, which never comes. It closes connections after five idle seconds without announcing it, so that a request at
 * that moment gets no response. Measurements of our server in between take longer than that.
 */
function lighttpdConfiguration(folder: string, port: number, settings: string): string {
  return `
server.document-root = "${folder}"
server.bind = "${HOST}"
server.port = ${port}
server.modules = ("mod_fastcgi")
server.errorlog = "${join(folder, 'lighttpd.log')}"
server.stream-response-body = 1
server.max-keep-alive-idle = 600
server.max-keep-alive-requests = 1000000
fastcgi.server = ("/map" => ((
  "bin-path" => "${findMapserv()}",
  "socket" => "${join(folder, 'mapserv.socket')}",
  "max-procs" => ${PROCESSES},
  "check-local" => "disable",
  "kill-signal" => 9,
  "bin-environment" => ("MAPSERVER_CONFIG_FILE" => "${settings}"),
)))
`;
}

/** The same as our styles: gray, with a black outline of one pixel. */
function writeLooks(symbol: string): string {
  return `
    CLASS
      STYLE${symbol}
        COLOR 170 170 170
        OUTLINECOLOR 0 0 0
        WIDTH 1
      END
    END`;
}

const circle = `
        SYMBOL "circle"
        SIZE 6`;

/** Database connections are kept open, and coordinates have as many digits as in our responses. */
function mapFileFor(data: ServedData, url: string, folder: string): string {
  const { shapefiles, tables, rasters = [], labelled, isPoints = false } = data;
  const [type, looks] = isPoints ? ['POINT', writeLooks(circle)] : ['POLYGON', writeLooks('')];
  const metadata = (title: string) => `
    PROJECTION "init=epsg:4326" END
    METADATA
      "ows_title" "${title}"
      "gml_include_items" "all"
      "gml_types" "auto"
      "gml_featureid" "id"
      "wfs_getfeature_formatlist" "geojson"
    END`;
  return `MAP
  NAME "bench"
  EXTENT -180 -90 180 90
  PROJECTION "init=epsg:4326" END
  CONFIG "MS_ERRORFILE" "${join(folder, 'mapserver.log')}"
  ${labelled === undefined ? '' : `FONTSET "${join(folder, 'fonts.list')}"`}
  SYMBOL
    NAME "circle"
    TYPE ELLIPSE
    POINTS 1 1 END
    FILLED TRUE
  END
  OUTPUTFORMAT
    NAME "geojson"
    DRIVER "OGR/GEOJSON"
    MIMETYPE "application/json; subtype=geojson"
    FORMATOPTION "STORAGE=stream"
    FORMATOPTION "FORM=simple"
    FORMATOPTION "LCO:COORDINATE_PRECISION=8"
  END
  WEB
    METADATA
      "ows_title" "bench"
      "ows_onlineresource" "${url}"
      "ows_enable_request" "*"
      "ows_srs" "EPSG:4326 EPSG:3857"
      "wfs_getfeature_formatlist" "geojson"
    END
  END
${shapefiles
  .map(
    ({ layer, path }) => `  LAYER
    NAME "${layer}"
    TYPE ${type}
    STATUS ON
    DATA "${path}"${metadata(layer)}${looks}
  END
`,
  )
  .join('')}${rasters
  .map(
    ({ layer, path, look }) => `  LAYER
    NAME "${layer}"
    TYPE RASTER
    STATUS ON
    DATA "${path}"${metadata(layer)}
    ${look}
  END
`,
  )
  .join('')}${(labelled?.layers ?? [])
  .map(
    ({ layer, path, type, look, position }) => `  LAYER
    NAME "${layer}"
    TYPE ${type}
    STATUS ON
    DATA "${path}"${metadata(layer)}
    LABELITEM "name"
    CLASS
      ${look}
      LABEL
        FONT "sans"
        ${position}
        COLOR 0 0 0
        OUTLINECOLOR 255 255 255
        PARTIALS FALSE
      END
    END
  END
`,
  )
  .join('')}${(tables?.names ?? [])
  .map(
    (name) => `  LAYER
    NAME "${name}"
    TYPE ${type}
    STATUS ON
    CONNECTIONTYPE POSTGIS
    CONNECTION "${tables === undefined ? '' : writeConnection(tables.database)}"
    DATA "geom FROM ${name} USING UNIQUE id USING srid=4326"
    PROCESSING "CLOSE_CONNECTION=DEFER"${metadata(name)}${looks}
  END
`,
  )
  .join('')}END
`;
}

function writeConnection({ host, port, user, password, database }: BenchedDatabase): string {
  return `host=${host} port=${port} user=${user} password=${password} dbname=${database}`;
}
