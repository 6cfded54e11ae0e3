/** PROJ as a reference for coordinate reference systems: one Python process answers for many codes. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);

/** The output of `projinfo --list-crs` with further details. */
export interface ListedSystem {
  readonly code: string;
  readonly name: string;
  /** For example `PROJECTED_CRS`. */
  readonly type: string;
  readonly isDeprecated: boolean;
}

export interface ExaminedSystem {
  readonly code: string;
  /** Well-known text 1; null if it cannot express the CRS. */
  readonly esri: string | null;
  readonly ogc: string | null;
  /** The axis directions in the order of the authority. */
  readonly axes: readonly string[];
  /** A position in its area of use in degrees, in its base geographic CRS, or in WGS 84 if it is geographic itself. */
  readonly place: readonly [number, number] | null;
  /** That position in the CRS, x before y; null if PROJ fails. */
  readonly position: readonly [number, number] | null;
}

const LIST = `
import json
from pyproj.database import query_crs_info
print(json.dumps([
    {"code": f"{i.auth_name}:{i.code}", "name": i.name, "type": i.type.name, "isDeprecated": i.deprecated}
    for authority in ("EPSG", "ESRI")
    for i in query_crs_info(auth_name=authority, allow_deprecated=True)
]))
`;

const EXAMINE = `
import json, math, sys, warnings
warnings.simplefilter("ignore")
from pyproj import CRS, Transformer

def text(crs, version):
    try:
        return crs.to_wkt(version)
    except Exception:
        return None

def place_of(crs):
    area = crs.area_of_use
    if area is None:
        return None
    east = area.east + (360 if area.west > area.east else 0)
    longitude = area.west + (east - area.west) * 0.45
    return [longitude - 360 if longitude > 180 else longitude, area.south + (area.north - area.south) * 0.55]

def transformed(source, target, place):
    try:
        found = Transformer.from_crs(source, target, always_xy=True).transform(*place, errcheck=True)
        return list(found) if all(math.isfinite(value) for value in found) else None
    except Exception:
        return None

for code in json.load(sys.stdin):
    crs = CRS.from_user_input(code)
    answer = {"code": code, "esri": text(crs, "WKT1_ESRI"), "ogc": text(crs, "WKT1_GDAL"),
              "axes": [axis.direction for axis in crs.axis_info], "place": None, "position": None}
    place = place_of(crs)
    if place is not None and crs.is_projected and not crs.is_compound:
        base = crs.geodetic_crs
        degrees = 180 / math.pi
        meridian = base.prime_meridian.longitude * base.prime_meridian.unit_conversion_factor * degrees
        unit = base.axis_info[0].unit_conversion_factor * degrees
        answer["place"] = [place[0] - meridian, place[1]]
        answer["position"] = transformed(base, crs, [(place[0] - meridian) / unit, place[1] / unit])
    elif place is not None and crs.is_geographic and len(crs.axis_info) == 2:
        answer["place"] = place
        answer["position"] = transformed("EPSG:4326", crs, place)
    print(json.dumps(answer))
`;

export function findPyproj(): string | undefined {
  // A user-installed Python, first on the PATH, may lack the system packages.
  return ['/usr/bin/python3', findProgram(['python3'])].find(
    (python) => python !== undefined && spawnSync(python, ['-c', 'import pyproj']).status === 0,
  );
}

export async function listSystems(): Promise<readonly ListedSystem[]> {
  return JSON.parse(await runPython(LIST, '')) as readonly ListedSystem[];
}

export async function examineSystems(codes: readonly string[]): Promise<readonly ExaminedSystem[]> {
  const printed = await runPython(EXAMINE, JSON.stringify(codes));
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExaminedSystem);
}

async function runPython(program: string, input: string): Promise<string> {
  const running = run(findPyproj() ?? 'python3', ['-c', program], {
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, PROJ_NETWORK: 'OFF' },
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
