/** Selects the format in which features are requested from a remote tile server. */
import type { RemoteTileInfo } from './capabilities.ts';

export interface SelectedTileInfo {
  /** As named by the remote server. */
  readonly format: string;
  /** The address template; undefined for key-value pairs. */
  readonly template: string | undefined;
}

/** By preference: features with attributes before text. Pages and XML are made for people and for other schemas. */
const readableTypes = [/^(application|text)\/((vnd\.)?geo\+?)?json$/, /^text\/plain$/];

/** Returns undefined if the server offers no readable format. */
export function selectTileInfo({ templates, formats }: RemoteTileInfo): SelectedTileInfo | undefined {
  const offered = [
    ...Object.entries(templates).map(([format, template]) => ({ format, template })),
    ...formats.map((format) => ({ format, template: undefined })),
  ];
  const matches = readableTypes.map((type) => offered.find(({ format }) => type.test(getMediaType(format))));
  return matches.find((each) => each !== undefined);
}

/** In lower case and without parameters. */
function getMediaType(format: string): string {
  return (format.split(';')[0] ?? '').trim().toLowerCase();
}
