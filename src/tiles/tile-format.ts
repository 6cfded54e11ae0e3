/** The tile formats, with the names that clients use. */

export interface TileFormat {
  /** The name in paths, and of folders in the cache. */
  readonly name: 'png' | 'png8' | 'jpeg' | 'webp' | 'gif' | 'mvt';
  readonly mediaType: string;
  /** The file extension in addresses. */
  readonly extension: string;
  readonly otherNames: readonly string[];
  readonly isVector: boolean;
}

export const vectorFormat: TileFormat = {
  name: 'mvt',
  mediaType: 'application/vnd.mapbox-vector-tile',
  extension: 'pbf',
  otherNames: ['pbf', 'application/x-protobuf;type=mapbox-vector', 'application/x-protobuf'],
  isVector: true,
};

function createPictureFormat(
  name: TileFormat['name'],
  extension: string,
  mediaType: string,
  ...otherNames: readonly string[]
) {
  return { name, mediaType, extension, otherNames, isVector: false } satisfies TileFormat;
}

export const tileFormats: readonly TileFormat[] = [
  createPictureFormat('png', 'png', 'image/png'),
  createPictureFormat('png8', 'png8', 'image/png8', 'image/png;mode=8bit'),
  createPictureFormat('jpeg', 'jpeg', 'image/jpeg', 'jpg', 'image/jpg'),
  createPictureFormat('webp', 'webp', 'image/webp'),
  createPictureFormat('gif', 'gif', 'image/gif'),
  vectorFormat,
];

/** Finds a format by its media type, extension or alias. */
export function findTileFormat(written: string): TileFormat | undefined {
  const name = written.replaceAll(' ', '').toLowerCase();
  return tileFormats.find(
    (each) =>
      each.name === name || each.mediaType === name || each.extension === name || each.otherNames.includes(name),
  );
}
