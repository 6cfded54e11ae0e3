/** Pictures of map services. */

/** Map services report errors with the status 200. */
export async function readPicture(reply: Response): Promise<Blob> {
  if ((reply.headers.get('content-type') ?? '').startsWith('image/')) return reply.blob();
  const text = await reply.text();
  throw new Error(/<(?:\w+:)?ServiceException[^>]*>([^<]*)/.exec(text)?.[1]?.trim() ?? text.slice(0, 300));
}
