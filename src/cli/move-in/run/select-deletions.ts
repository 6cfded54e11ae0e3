/** Selects what a move deletes: resources that earlier moves created and that the source does not have any more. */
import type { Rejections } from '../archive/archive.ts';
import type { TargetChanges } from '../previous/previous-moves.ts';
import type { EntryCode } from '../report/codes.ts';
import type { Translation } from './translate-source.ts';

/** A document that cannot be read may describe any resource. */
const unreadable: ReadonlySet<EntryCode> = new Set(['xml-malformed', 'xml-doctype', 'file-too-large']);

/**
 * Rules and settings are replaced as a whole and never deleted, and neither are the URL checks of `--add-url-checks`, which
 * the source never had.
 */
const deletable =
  /^\/(?:workspaces\/(?!default$)|styles\/|layergroups\/|urlchecks\/(?!move-in%20)|gridsets\/|tilelayers\/|resource\/|security\/(?:usergroup|usergroupservices|roles|authproviders)\/(?!order$))/;

export function selectDeletions(
  { archive, report }: Translation,
  created: ReadonlySet<string>,
  { changes, rejections }: { readonly changes: TargetChanges | undefined; readonly rejections: Rejections },
): readonly string[] {
  const broken = report.entries.find(({ code }) => unreadable.has(code));
  if (broken !== undefined) {
    const message = `Nothing is deleted: '${broken.source}' cannot be read and may describe the resources.`;
    report.add('deletion-skipped', { source: '.' }, message, 'Correct the file, and run the command again.');
    return [];
  }
  const described = new Set(
    report.entries.flatMap(({ path, outcome }) => (outcome === 'skipped' && path !== null ? [path] : [])),
  );
  const isDescribed = (path: string) =>
    archive.isMentioned(path) || listParents(path).some((each) => described.has(each));
  const deletions: string[] = [];
  for (const path of [...created].sort()) {
    if (!deletable.test(path) || !archive.isSelected(path) || archive.has(path) || isDescribed(path)) continue;
    // A source without accounts, such as an archive without its directory `security`, says nothing about them.
    if (path.startsWith('/security/') && !archive.hasAccounts) continue;
    const rejection = rejections.get(path);
    const change = changes?.find(path);
    if (rejection !== undefined) {
      report.add('target-rejected', { source: '.', path }, `The target keeps '${path}': ${rejection.message ?? ''}`);
    } else if (change === undefined) deletions.push(path);
    else if (!change.isDeleted) {
      const message = `The source does not have '${path}' any more, but change ${change.sequence} of the target modified it. The target keeps it.`;
      report.add('target-changed', { source: '.', path }, message, 'Use --prefer source to delete it.');
    }
  }
  return deletions;
}

/** `/a/b` -> `/a`, `/a/b`. */
function listParents(path: string): readonly string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
