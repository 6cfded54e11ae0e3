/** Under which name a reply is saved. */

/** Names of layers have colons and more, which are no part of file names. */
export function formatContentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]+/g, '-');
  const exact = encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, '_');
  return plain === fileName ? `${kind}; filename=${plain}` : `${kind}; filename=${plain}; filename*=UTF-8''${exact}`;
}
