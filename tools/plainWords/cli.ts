import { check } from './check';
import { isKind, kinds, type Kind } from './texts';

/** What `npm run lint -- words` prints for the kinds that are asked for, and how many findings there are. */
export async function lintWords(args: string[]): Promise<{ report: string; count: number }> {
	const unknown = args.filter((name) => !isKind(name));
	const all = Object.keys(kinds) as Kind[];
	if (unknown.length > 0) {
		return { report: `Unknown: ${unknown.join(', ')}. Choose from: ${all.join(', ')}\n`, count: 1 };
	}
	const asked = args.length > 0 ? args.filter(isKind) : all;
	let report = '';
	let counts = '';
	let count = 0;
	for (const kind of asked) {
		const texts = kinds[kind]();
		const findings = await check(texts);
		for (const { place, line, message, text } of findings) {
			report += `${place}:${line}: ${message.replace(/\n/g, ' ')}\n    ${text}\n`;
		}
		counts += `${kind}: ${findings.length} findings in ${texts.length} texts\n`;
		count += findings.length;
	}
	return { report: report + counts, count };
}
