/** What another WFS says of itself: the types it has, where they lie, and which version it speaks. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attributeOf, boundsFrom, childNamed, childrenNamed, childText } from '../../cascade/xml-parts.ts';
import type { Bounds } from '../../crs/bounds.ts';

export interface RemoteType {
  /** As the other server is asked for it, with its prefix. */
  readonly name: string;
  /** What the prefix stands for, where the document says so. */
  readonly namespace: string | undefined;
  /** As the other server writes it. */
  readonly system: string | null;
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
}

export interface WfsCapabilities {
  readonly version: string;
  readonly types: readonly RemoteType[];
}

/** Undefined for a document that is something else. */
export function readWfsCapabilities(root: XmlElement): WfsCapabilities | undefined {
  if (root.local !== 'WFS_Capabilities') return undefined;
  const list = childNamed(root, 'FeatureTypeList');
  return {
    version: attributeOf(root, 'version') ?? '',
    types: list === undefined ? [] : childrenNamed(list, 'FeatureType').flatMap((type) => readType(type, root) ?? []),
  };
}

function readType(element: XmlElement, root: XmlElement): RemoteType | undefined {
  const name = childText(element, 'Name');
  if (name === null) return undefined;
  const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : undefined;
  const declared = [childNamed(element, 'Name'), element, root].flatMap((each) => each?.attributes ?? []);
  const namespace = declared.find((each) => each.name === `xmlns:${prefix}`)?.value;
  const system = childText(element, 'DefaultCRS') ?? childText(element, 'DefaultSRS') ?? childText(element, 'SRS');
  return { name, namespace, system, latLonBounds: readBounds(element) };
}

function readBounds(element: XmlElement): Bounds | null {
  const newer = childNamed(element, 'WGS84BoundingBox');
  if (newer !== undefined) {
    const corners = ['LowerCorner', 'UpperCorner'].flatMap((name) => (childText(newer, name) ?? '').split(/\s+/));
    return boundsFrom(corners);
  }
  const older = childNamed(element, 'LatLongBoundingBox');
  return older === undefined
    ? null
    : boundsFrom(['minx', 'miny', 'maxx', 'maxy'].map((side) => attributeOf(older, side)));
}
