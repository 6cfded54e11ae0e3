/** The style of a placemark, and its KML. */
import { escapeText } from '../../lib/xml/escape.ts';

export interface KmlColor {
  /** Each 0 to 255. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** 0 to 1. */
  readonly opacity: number;
}

export interface PlacemarkStyle {
  /** The name; defaults to the label. */
  readonly title?: string | undefined;
  /** The text of its balloon, as HTML. */
  readonly description?: string | undefined;
  /** The label; defaults to the id. */
  readonly label?: { readonly text: string; readonly color: KmlColor; readonly pixels: number } | undefined;
  readonly icon?:
    | {
        readonly color: KmlColor;
        readonly pixels: number;
        /** Clockwise in degrees. */
        readonly heading: number;
        /** The URL of its image; undefined for the default icon of the viewer. */
        readonly href: string | undefined;
      }
    | undefined;
  readonly line?: { readonly color: KmlColor; readonly pixels: number } | undefined;
  readonly fill?: KmlColor | undefined;
}

/** The icon size of viewers at scale 1. */
const ICON_PIXELS = 32;
const LABEL_PIXELS = 16;

/**
 * In schema order. Missing parts are written as invisible, because viewers would otherwise draw defaults. With
 * `hasDefaultIcon`, a missing icon is the default of the viewer.
 */
export function writePlacemarkStyle({ icon, label, line, fill }: PlacemarkStyle, hasDefaultIcon: boolean): string {
  return `<Style>${[
    icon === undefined
      ? `<IconStyle><scale>${hasDefaultIcon ? 1 : 0}</scale></IconStyle>`
      : `<IconStyle>${writeColor(icon.color)}<scale>${formatRounded(icon.pixels / ICON_PIXELS)}</scale>${icon.heading === 0 ? '' : `<heading>${formatRounded(icon.heading)}</heading>`}${icon.href === undefined ? '' : `<Icon><href>${escapeText(icon.href)}</href></Icon>`}</IconStyle>`,
    label === undefined
      ? '<LabelStyle><scale>0</scale></LabelStyle>'
      : `<LabelStyle>${writeColor(label.color)}<scale>${formatRounded(label.pixels / LABEL_PIXELS)}</scale></LabelStyle>`,
    line === undefined
      ? '<LineStyle><width>0</width></LineStyle>'
      : `<LineStyle>${writeColor(line.color)}<width>${formatRounded(line.pixels)}</width></LineStyle>`,
    `<PolyStyle>${fill === undefined ? '<fill>0</fill>' : writeColor(fill)}<outline>${line === undefined ? 0 : 1}</outline></PolyStyle>`,
  ].join('')}</Style>`;
}

/** Formats as alpha, blue, green, red. */
function writeColor({ red, green, blue, opacity }: KmlColor): string {
  const parts = [opacity * 255, blue, green, red];
  return `<color>${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}</color>`;
}

function formatRounded(number: number): string {
  return String(Math.round(number * 100) / 100);
}
