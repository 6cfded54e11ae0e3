/** Media types of files by extension. */
import { extname } from 'node:path/posix';

const mediaTypes: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.geojson': 'application/geo+json',
  '.gif': 'image/gif',
  '.gpkg': 'application/geopackage+sqlite3',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.kml': 'application/vnd.google-earth.kml+xml',
  '.nc': 'application/x-netcdf',
  '.mbtiles': 'application/vnd.sqlite3',
  '.parquet': 'application/vnd.apache.parquet',
  '.pmtiles': 'application/vnd.pmtiles',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.prj': 'text/plain',
  // The type that clients of other servers expect; the style resource itself returns a more specific one.
  '.sld': 'text/xml',
  '.svg': 'image/svg+xml',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.xsd': 'application/xml',
  '.zip': 'application/zip',
};

export function getFileMediaType(name: string): string {
  return mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
}
