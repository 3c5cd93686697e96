/** So many characters of a name are compared. */
const COMPARED = 60;

const plain = (text: string) => text.slice(0, COMPARED).toLowerCase();

/** How many letters have to be added, removed or changed to make one text of the other. */
function distance(one: string, other: string): number {
	let above = Array.from({ length: other.length + 1 }, (_, column) => column);
	for (let line = 1; line <= one.length; line++) {
		const row = [line];
		for (let column = 1; column <= other.length; column++) {
			const isSame = one[line - 1] === other[column - 1];
			row.push(
				Math.min(above[column]! + 1, row[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1)),
			);
		}
		above = row;
	}
	return above[other.length]!;
}

/** The names that are most like a text, the nearest first, each once. */
export function nearest(text: string, names: string[], count: number): string[] {
	const wanted = plain(text);
	return [...new Set(names)]
		.map((name) => ({ name, far: distance(wanted, plain(name)) }))
		.sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
		.slice(0, count)
		.map(({ name }) => name);
}
