/** A function of a record that computes its value once, however often it is asked while the record is kept. */
export function perRecord<R extends object, V>(compute: (record: R) => V): (record: R) => V {
	const known = new WeakMap<R, { value: V }>();
	return (record) => {
		const found = known.get(record) ?? { value: compute(record) };
		known.set(record, found);
		return found.value;
	};
}
