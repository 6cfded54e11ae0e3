/** Elements of KML documents of maps, in the order of the schema. */
import type { Bounds } from '../../../crs/bounds.ts';
import { escapeText } from '../../../lib/xml/escape.ts';

export interface Region {
  /** In longitude and latitude. */
  readonly box: Bounds;
  /** The region is active while it covers at least this many pixels in each direction. */
  readonly minPixels: number;
  /** -1 for no maximum. */
  readonly maxPixels: number;
}

export function writeRegion({ box, minPixels, maxPixels }: Region): string {
  return `<Region><LatLonAltBox>${writeBox(box)}</LatLonAltBox><Lod><minLodPixels>${minPixels}</minLodPixels><maxLodPixels>${maxPixels}</maxLodPixels></Lod></Region>`;
}

function writeBox({ minX, minY, maxX, maxY }: Bounds): string {
  return `<north>${maxY}</north><south>${minY}</south><east>${maxX}</east><west>${minX}</west>`;
}

const METRES_PER_DEGREE = 111_320;

/** Looks at the whole box from above. */
export function writeLookAt({ minX, minY, maxX, maxY }: Bounds): string {
  const latitude = (minY + maxY) / 2;
  const degrees = Math.max((maxX - minX) * Math.cos((latitude * Math.PI) / 180), maxY - minY);
  const range = Math.min(Math.max(Math.round(degrees * METRES_PER_DEGREE), 1_000), 20_000_000);
  return `<LookAt><longitude>${(minX + maxX) / 2}</longitude><latitude>${latitude}</latitude><altitude>0</altitude><heading>0</heading><tilt>0</tilt><range>${range}</range><altitudeMode>clampToGround</altitudeMode></LookAt>`;
}

export interface NetworkLink {
  readonly title: string;
  readonly href: string;
  /** The view that the viewer shows for the link. */
  readonly lookAt?: Bounds | undefined;
  /** Loads the link while the region is active; otherwise whenever the view stops moving. */
  readonly region?: Region | undefined;
}

export function writeNetworkLink({ title, href, lookAt, region }: NetworkLink): string {
  const refresh =
    region === undefined
      ? '<viewRefreshMode>onStop</viewRefreshMode><viewRefreshTime>1</viewRefreshTime><viewFormat>bbox=[bboxWest],[bboxSouth],[bboxEast],[bboxNorth]</viewFormat>'
      : '<viewRefreshMode>onRegion</viewRefreshMode>';
  return `<NetworkLink><name>${escapeText(title)}</name><visibility>1</visibility><open>1</open>${lookAt === undefined ? '' : writeLookAt(lookAt)}${region === undefined ? '' : writeRegion(region)}<Link><href>${escapeText(href)}</href>${refresh}</Link></NetworkLink>
`;
}

export interface GroundOverlay {
  readonly title: string;
  readonly href: string;
  readonly box: Bounds;
  /** Overlays with a greater number are above those with a smaller one. */
  readonly drawOrder: number;
  readonly region?: Region | undefined;
}

export function writeGroundOverlay({ title, href, box, drawOrder, region }: GroundOverlay): string {
  return `<GroundOverlay><name>${escapeText(title)}</name>${region === undefined ? '' : writeRegion(region)}<drawOrder>${drawOrder}</drawOrder><Icon><href>${escapeText(href)}</href></Icon><LatLonBox>${writeBox(box)}</LatLonBox></GroundOverlay>
`;
}

/** In the lower left corner of the screen. */
export function writeLegendOverlay(href: string): string {
  return `<ScreenOverlay><name>Legend</name><Icon><href>${escapeText(href)}</href></Icon><overlayXY x="0" y="0" xunits="pixels" yunits="pixels"/><screenXY x="10" y="20" xunits="pixels" yunits="pixels"/></ScreenOverlay>
`;
}
