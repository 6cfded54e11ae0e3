/** Reads the title and abstract of a rule from the comments before it. */
import type { Description, Translation } from '../../model/description.ts';

export type CommentHeading = Description;

/**
 * `@title` and `@abstract` start a line; their text ends at the next `@` or at the end of the comment. A language in
 * brackets, as in `@title[it]`, marks a translation.
 */
export function parseHeading(comments: readonly string[]): CommentHeading {
  const found = new Map<string, string>();
  for (const comment of comments) {
    let open: string | undefined;
    for (const line of comment.split(/\r\n|\r|\n/)) {
      const text = line.replace(/^[ \t]*\**[ \t]*/, '').trim();
      const [, name, language = '', rest] = /^@(\w+)(?:\[([\w-]+)\])?[ \t]*:?[ \t]*(.*)$/.exec(text) ?? [];
      if (name !== undefined && rest !== undefined) {
        open = `${name.toLowerCase()} ${language}`;
        found.set(open, rest);
      } else if (open !== undefined && text !== '') {
        found.set(open, `${found.get(open) ?? ''} ${text}`.trim());
      }
    }
  }
  const translations = [...listTranslations(found, 'title'), ...listTranslations(found, 'abstract')];
  return {
    title: found.get('title ') || undefined,
    abstract: found.get('abstract ') || undefined,
    translations: translations.length === 0 ? undefined : translations,
  };
}

function listTranslations(found: ReadonlyMap<string, string>, of: Translation['of']): readonly Translation[] {
  return [...found].flatMap(([key, text]): Translation[] => {
    const [name, language] = key.split(' ');
    return name === of && language && text !== '' ? [{ of, language, text }] : [];
  });
}
