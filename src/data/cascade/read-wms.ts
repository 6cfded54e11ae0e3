/** Reads the capabilities of a WMS, versions 1.0.0 to 1.3.0: layers inherit from the ones around them. */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Bounds } from '../crs/bounds.ts';
import { findCrs } from '../crs/resolve-crs.ts';
import type { Capabilities, RemoteLayer } from './capabilities.ts';
import { attributeOf, boundsFrom, childNamed, childrenNamed, childText, textsOf } from './xml-parts.ts';

/** What a layer has from those around it. */
type Inherited = Pick<RemoteLayer, 'systems' | 'latLonBounds' | 'bounds' | 'styles'>;

const nothing: Inherited = { systems: [], latLonBounds: null, bounds: {}, styles: [] };

export async function readWmsCapabilities(root: XmlElement): Promise<Capabilities> {
  const version = attributeOf(root, 'version') ?? '';
  const capability = childNamed(root, 'Capability');
  const getMap = childNamed(childNamed(capability, 'Request'), 'GetMap') ?? childNamed(capability, 'GetMap');
  const formats = textsOf(getMap, 'Format');
  const layers: RemoteLayer[] = [];
  // A list of what is left to do, since a hostile document nests as deep as it may.
  const waiting = capability === undefined ? [] : below(capability, nothing);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { element, around } = next;
    const own = await inheritedFrom(element, around, version);
    const name = childText(element, 'Name');
    if (name !== null) layers.push({ ...remarksOf(element, name), ...own, formats });
    waiting.unshift(...below(element, own));
  }
  return { service: 'WMS', version, title: childText(childNamed(root, 'Service'), 'Title'), layers };
}

function below(element: XmlElement, around: Inherited) {
  return childrenNamed(element, 'Layer').map((layer) => ({ element: layer, around }));
}

function remarksOf(element: XmlElement, name: string): Pick<RemoteLayer, 'name' | 'title' | 'abstract' | 'keywords'> {
  return {
    name,
    title: childText(element, 'Title'),
    abstract: childText(element, 'Abstract'),
    keywords: textsOf(childNamed(element, 'KeywordList'), 'Keyword'),
  };
}

async function inheritedFrom(element: XmlElement, around: Inherited, version: string): Promise<Inherited> {
  // Old servers put all of them into one element.
  const own = [...textsOf(element, 'CRS'), ...textsOf(element, 'SRS')].flatMap((text) => text.split(/\s+/));
  const styles = childrenNamed(element, 'Style').flatMap((style) => childText(style, 'Name') ?? []);
  return {
    systems: [...new Set([...own, ...around.systems])],
    latLonBounds: latLonBoundsOf(element) ?? around.latLonBounds,
    bounds: { ...around.bounds, ...(await boundsOf(element, version)) },
    styles: [...new Set([...styles, ...around.styles])],
  };
}

function latLonBoundsOf(element: XmlElement): Bounds | null {
  const newer = childNamed(element, 'EX_GeographicBoundingBox');
  if (newer !== undefined) {
    const sides = ['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'];
    return boundsFrom(sides.map((side) => childText(newer, side)));
  }
  const older = childNamed(element, 'LatLonBoundingBox');
  return older === undefined ? null : boxOf(older);
}

/** In version 1.3.0 the axes are those of the system: latitude first, in many. */
async function boundsOf(element: XmlElement, version: string): Promise<Readonly<Record<string, Bounds>>> {
  const found: [string, Bounds][] = [];
  for (const box of childrenNamed(element, 'BoundingBox')) {
    const system = attributeOf(box, 'CRS') ?? attributeOf(box, 'SRS');
    const bounds = boxOf(box);
    if (system === undefined || bounds === null) continue;
    const isSwapped = version.startsWith('1.3') && (await isNorthFirst(system));
    found.push([system, isSwapped ? swapped(bounds) : bounds]);
  }
  return Object.fromEntries(found);
}

/** `CRS:84` is what `EPSG:4326` would be with its axes the other way round. */
async function isNorthFirst(system: string): Promise<boolean> {
  return /EPSG/i.test(system) && (await findCrs(system))?.axisOrder === 'north-east';
}

function boxOf(element: XmlElement): Bounds | null {
  return boundsFrom(['minx', 'miny', 'maxx', 'maxy'].map((side) => attributeOf(element, side)));
}

function swapped({ minX, minY, maxX, maxY }: Bounds): Bounds {
  return { minX: minY, minY: minX, maxX: maxY, maxY: maxX };
}
