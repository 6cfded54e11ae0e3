/** Parses the capabilities of a remote WFS: types, bounds and version. */

import { findAttribute, findChild, findChildren, parseBounds, readChildText } from '../../cascade/xml-elements.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { XmlElement } from '../../lib/xml/element.ts';

export interface RemoteType {
  /** The name in requests, with its prefix. */
  readonly name: string;
  /** The namespace of the prefix, if the document declares it. */
  readonly namespace: string | undefined;
  /** The CRS as written by the remote server. */
  readonly system: string | null;
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
}

export interface WfsCapabilities {
  readonly version: string;
  readonly types: readonly RemoteType[];
}

/** Returns undefined for another document type. */
export function readWfsCapabilities(root: XmlElement): WfsCapabilities | undefined {
  if (root.local !== 'WFS_Capabilities') return undefined;
  const list = findChild(root, 'FeatureTypeList');
  return {
    version: findAttribute(root, 'version') ?? '',
    types: list === undefined ? [] : findChildren(list, 'FeatureType').flatMap((type) => readType(type, root) ?? []),
  };
}

function readType(element: XmlElement, root: XmlElement): RemoteType | undefined {
  const name = readChildText(element, 'Name');
  if (name === null) return undefined;
  const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : undefined;
  const declared = [findChild(element, 'Name'), element, root].flatMap((each) => each?.attributes ?? []);
  const namespace = declared.find((each) => each.name === `xmlns:${prefix}`)?.value;
  const system =
    readChildText(element, 'DefaultCRS') ?? readChildText(element, 'DefaultSRS') ?? readChildText(element, 'SRS');
  return { name, namespace, system, latLonBounds: readBounds(element) };
}

function readBounds(element: XmlElement): Bounds | null {
  const newer = findChild(element, 'WGS84BoundingBox');
  if (newer !== undefined) {
    const corners = ['LowerCorner', 'UpperCorner'].flatMap((name) => (readChildText(newer, name) ?? '').split(/\s+/));
    return parseBounds(corners);
  }
  const older = findChild(element, 'LatLongBoundingBox');
  return older === undefined
    ? null
    : parseBounds(['minx', 'miny', 'maxx', 'maxy'].map((side) => findAttribute(older, side)));
}
