/** Reads the capabilities of a WMS, versions 1.0.0 to 1.3.0: layers inherit from the ones around them. */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Bounds } from '../crs/bounds.ts';
import { findCrs } from '../crs/resolve-crs.ts';
import type { Capabilities, RemoteLayer } from './capabilities.ts';
import { attributeOf, boundsFrom, childNamed, childrenNamed, childText, textsOf } from './xml-parts.ts';

/** What a layer has from those around it. */
type Inherited = Pick<RemoteLayer, 'systems' | 'latLonBounds' | 'bounds' | 'styles'>;

const nothing: Inherited = { systems: [], latLonBounds: null, bounds: {}, styles: [] };

/** A layer, and the one that it is in. */
interface Placed {
  readonly element: XmlElement;
  readonly around: Placed | undefined;
}

export async function readWmsCapabilities(root: XmlElement, wanted: string | null): Promise<Capabilities> {
  const capability = childNamed(root, 'Capability');
  const names: string[] = [];
  let found: Placed | undefined;
  // A list of what is left to do, the next at its end, since a hostile document nests as deep as it may.
  const waiting: Placed[] = [];
  const addLayersOf = (element: XmlElement, around: Placed | undefined): void => {
    for (const layer of childrenNamed(element, 'Layer').toReversed()) waiting.push({ element: layer, around });
  };
  if (capability !== undefined) addLayersOf(capability, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const name = childText(next.element, 'Name');
    if (name !== null) names.push(name);
    if (name !== null && name === wanted) found ??= next;
    addLayersOf(next.element, next);
  }
  return { names, layer: found === undefined ? null : await layerOf(found, wanted ?? '', root) };
}

async function layerOf(placed: Placed, name: string, root: XmlElement): Promise<RemoteLayer> {
  const capability = childNamed(root, 'Capability');
  const getMap = childNamed(childNamed(capability, 'Request'), 'GetMap') ?? childNamed(capability, 'GetMap');
  const version = attributeOf(root, 'version') ?? '';
  const fromOuter: XmlElement[] = [];
  for (let at: Placed | undefined = placed; at !== undefined; at = at.around) fromOuter.unshift(at.element);
  let inherited = nothing;
  for (const element of fromOuter) inherited = await inheritedFrom(element, inherited, version);
  return { ...remarksOf(placed.element, name), ...inherited, formats: textsOf(getMap, 'Format') };
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
