import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../sandbox/lib/errors';
import { allNodes, credentialTypes } from '../../test/support/engine';
import { changesOf, publishedOf, type Changes, type Published } from './published';

/** What is published, as it is kept in `test/contract/published.json`. */

const FILE = path.resolve(__dirname, '../../test/contract/published.json');

export const readPublished = () => JSON.parse(readFileSync(FILE, 'utf8')) as Published;

export const builtPublished = async () => publishedOf(await allNodes(), await credentialTypes());

/**
 * Brings the file up to date.
 * @throws UserError for a change that saved workflows would feel, unless they are allowed
 */
export async function note(mayBreak: boolean): Promise<void> {
	const published = await builtPublished();
	const changes = changesOf(readPublished(), published);
	if (changes.breaking.length > 0 && !mayBreak) throw new UserError(broken(changes));
	writeFileSync(FILE, JSON.stringify(published));
	const told = [...changes.breaking, ...changes.added];
	process.stdout.write(
		`${told.map((line) => `${line}\n`).join('')}Noted: ${told.length} changes\n`,
	);
}

const broken = ({ breaking }: Changes) =>
	[
		'This breaks saved workflows:',
		...breaking.map((line) => `- ${line}`),
		'See "What is published" in CONTRIBUTING.md for what to do instead.',
		'What no release has yet may go: npm run published -- --breaking',
	].join('\n');
