/** Creates the response for a problem in the negotiated format. */

import type { CommonDetails, Problem } from '../../lib/problems/problem.ts';
import { escapeText } from '../../lib/xml/escape.ts';
import { acceptsProblems, chooseOffer, type Offer, removeWildcards } from '../negotiate/negotiation.ts';
import type { ErrorStyle } from '../routes/route.ts';
import { type Format, formats } from '../serialization/format.ts';
import { createHomeCrumb, html, page, text } from '../serialization/html-page.ts';
import { formatContentType } from './reply.ts';
import { statusTexts } from './status-texts.ts';

export type ErrorFormat = Format | 'text' | 'problem';

export interface ErrorReply {
  readonly contentType: string;
  readonly body: string;
}

interface ErrorContext {
  readonly extension?: Format;
  readonly accept?: string;
  /** The format of the request body, if there is one. */
  readonly bodyFormat?: Format;
  readonly style: ErrorStyle;
}

const offers: readonly Offer<ErrorFormat>[] = [
  { format: 'text', mediaType: 'text/plain' },
  { format: 'xml', mediaType: 'application/xml' },
  { format: 'xml', mediaType: 'text/xml' },
  { format: 'json', mediaType: 'application/json' },
  { format: 'json', mediaType: 'text/json' },
  { format: 'html', mediaType: 'text/html' },
  { format: 'problem', mediaType: 'application/problem+json' },
];

/** By extension, then Accept, then the format of the body, then plain text (XML for structured errors). */
export function chooseErrorOffer(context: ErrorContext): Offer<ErrorFormat> {
  const { extension, accept, bodyFormat } = context;
  if (context.style === 'structured') {
    return chooseStructuredOffer(context);
  }
  if (acceptsProblems(accept)) {
    return { format: 'problem', mediaType: 'application/problem+json' };
  }
  if (extension !== undefined) {
    return { format: extension, mediaType: formats[extension].mediaTypes[0] ?? 'text/plain' };
  }
  const named = removeWildcards(accept ?? '');
  const accepted = named === '' ? undefined : chooseOffer(offers, named);
  if (accepted !== undefined) {
    return accepted;
  }
  if (bodyFormat !== undefined) {
    return { format: bodyFormat, mediaType: formats[bodyFormat].mediaTypes[0] ?? 'text/plain' };
  }
  return { format: 'text', mediaType: 'text/plain' };
}

/** Families with structured errors use XML or JSON, unless a page is requested. */
function chooseStructuredOffer({ extension, accept, bodyFormat }: ErrorContext): Offer<ErrorFormat> {
  if (extension === 'html') {
    return { format: 'html', mediaType: 'text/html' };
  }
  const known = offers.filter(({ format }) => format === 'xml' || format === 'json');
  const named = removeWildcards(accept ?? '').replaceAll('application/problem+json', 'application/json');
  const wanted =
    known.find(({ format }) => format === extension) ?? (named === '' ? undefined : chooseOffer(known, named));
  return wanted ?? known.find(({ format }) => format === bodyFormat) ?? { format: 'xml', mediaType: 'application/xml' };
}

/** `home` is the URL of the start page. */
export function createErrorReply(
  problem: Problem,
  status: number,
  offer: Offer<ErrorFormat>,
  home: string,
): ErrorReply {
  return { contentType: formatContentType(offer.mediaType), body: writeErrorBody(problem, status, offer.format, home) };
}

function writeErrorBody(problem: Problem, status: number, format: ErrorFormat, home: string): string {
  const { message } = problem;
  switch (format) {
    case 'text':
      return `${message}\n`;
    case 'json':
      return JSON.stringify({ status, message });
    case 'xml':
      return `<ErrorResponse>\n  <status>${status}</status>\n  <message>${escapeText(message)}</message>\n</ErrorResponse>\n`;
    case 'html':
      return page(
        { title: `${status} ${statusTexts[status] ?? ''}`, crumbs: [createHomeCrumb(home)], alternates: [] },
        html`<p>${text(message)}</p>
<p><a href="${text(home)}">Go to the start page</a></p>`,
      );
    case 'problem':
      return JSON.stringify(toProblemDetails(problem, status));
  }
}

/** RFC 9457: the code is stable, the message is for humans. */
export function toProblemDetails(problem: Problem, status: number): object {
  const { field, blockers, complaints, conflicts, members }: CommonDetails = problem.details;
  return {
    type: `urn:graticule:problem:${problem.code}`,
    title: statusTexts[status] ?? 'Error',
    status,
    detail: problem.message,
    code: problem.code,
    ...(field === undefined ? {} : { field }),
    ...(blockers === undefined ? {} : { blockers }),
    ...(complaints === undefined ? {} : { errors: complaints }),
    ...(conflicts === undefined ? {} : { conflicts }),
    ...members,
  };
}
