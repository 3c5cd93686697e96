import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is stored of the service's document instead of the document, which is not ours. */
interface Pin {
	version: string;
	sha256: string;
	/** The day on which the nodes were last brought up to it, `2026-11-27`. */
	date: string;
}

export const PIN_FILE = join(__dirname, 'document.json');

const read = (file: string): Pin | undefined => {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as Pin;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
};

/** Whether a document is the pinned one, as a line. @param pins whether to pin it first */
export function pinLine(text: string, version: string, pins: boolean, file = PIN_FILE): string {
	const sha256 = createHash('sha256').update(text).digest('hex');
	const date = new Date().toISOString().slice(0, 10);
	if (pins) writeFileSync(file, `${JSON.stringify({ version, sha256, date }, null, '\t')}\n`);
	const pin = read(file);
	if (!pin) return 'No document is pinned: --pin stores version, SHA-256 and date of this one.';
	const pinned = `version ${pin.version}, pinned on ${pin.date}`;
	return pin.sha256 === sha256
		? `This is the pinned document: ${pinned}, SHA-256 ${sha256}.`
		: `Not the pinned document (${pinned}): this one has version ${version}, SHA-256 ${sha256}.`;
}
