/** Formats the Content-Disposition header. */

/** Replaces colons and other characters of layer names that are invalid in file names. */
export function formatContentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]+/g, '-');
  const exact = encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, '_');
  return plain === fileName ? `${kind}; filename=${plain}` : `${kind}; filename=${plain}; filename*=UTF-8''${exact}`;
}
