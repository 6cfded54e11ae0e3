/** The languages of styles, with their media types and file extensions below the REST path of a style. */

export const styleLanguages = ['css', 'sld', 'mbstyle', 'ysld'] as const;
export type StyleLanguage = (typeof styleLanguages)[number];

export interface StyleFormat {
  readonly language: StyleLanguage;
  /** Of SLD. */
  readonly version: string;
}

export const SLD = 'application/vnd.ogc.sld+xml';
export const SE = 'application/vnd.ogc.se+xml';

export function getMediaType({ language, version }: StyleFormat): string {
  switch (language) {
    case 'css':
      return 'application/vnd.geoserver.geocss+css';
    case 'mbstyle':
      return 'application/vnd.geoserver.mbstyle+json';
    case 'ysld':
      return 'application/vnd.geoserver.ysld+yaml';
    case 'sld':
      return version === '1.1.0' ? SE : SLD;
  }
}

/** SLD has two versions, which its root element states. */
export function detectSldVersion(text: string, known: string): string {
  return /<(?:\w+:)?StyledLayerDescriptor\b[^>]*?\bversion\s*=\s*["']([\d.]+)["']/.exec(text)?.[1] ?? known;
}
