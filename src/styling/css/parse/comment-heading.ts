/** Finds the title and the abstract of a rule in the comments before it. */

export interface CommentHeading {
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
}

/** `@title` and `@abstract` begin a line, and what they say goes on to the next `@` or the end of the comment. */
export function headingIn(comments: readonly string[]): CommentHeading {
  const found = new Map<string, string>();
  for (const comment of comments) {
    let open: string | undefined;
    for (const line of comment.split(/\r\n|\r|\n/)) {
      const text = line.replace(/^[ \t]*\**[ \t]*/, '').trim();
      const [, name, rest] = /^@(\w+)[ \t]*:?[ \t]*(.*)$/.exec(text) ?? [];
      if (name !== undefined && rest !== undefined) {
        open = name.toLowerCase();
        found.set(open, rest);
      } else if (open !== undefined && text !== '') {
        found.set(open, `${found.get(open) ?? ''} ${text}`.trim());
      }
    }
  }
  return { title: found.get('title') || undefined, abstract: found.get('abstract') || undefined };
}
