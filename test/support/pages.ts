import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { documentation } from '../../nodes/shared/describe/texts';
import { readText, root } from './reference';

/** What people read, from the root of the repository. */
export const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CHANGELOG.md'],
	...readdirSync(path.join(root, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];

/** A page without what is no markdown: code, and comments. */
const textOf = (page: string) =>
	readText(page)
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/<!--[\s\S]*?-->/g, '');

const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, '');

export const anchorOf = (heading: string) =>
	heading
		.trim()
		.toLowerCase()
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const known = new Map<string, Set<string>>();

/** The anchors of a page; the second heading of the same text gets `-1`. */
export function anchorsIn(page: string): Set<string> {
	const cached = known.get(page);
	if (cached) return cached;
	const anchors = new Set<string>();
	const times = new Map<string, number>();
	for (const [, heading] of textOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
		const anchor = anchorOf(heading!);
		const before = times.get(anchor) ?? 0;
		times.set(anchor, before + 1);
		anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
	}
	known.set(page, anchors);
	return anchors;
}

export const linksIn = (page: string) =>
	[...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** Why a link leads nowhere, or nothing. @param target relative to the page, perhaps with an anchor */
export function brokenLink(page: string, target: string): string | undefined {
	const [file, anchor] = target.split('#') as [string, string?];
	const to = file ? path.posix.join(path.posix.dirname(page), file) : page;
	if (to.startsWith('..') || !existsSync(path.join(root, to))) {
		return `${page}: there is no ${to}`;
	}
	if (anchor === undefined || (to.endsWith('.md') && anchorsIn(to).has(anchor))) return undefined;
	return `${page}: there is no heading #${anchor} in ${to}`;
}

/** A link of a node or a credential to the documentation, as one from the README. */
export const asRelative = (url: string) =>
	url.replace(documentation(''), 'docs/').replace(/^https:[^#]+(?=#)/, 'README.md');
