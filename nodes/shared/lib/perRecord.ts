/** Caches a value for each record, as long as the record is in memory. */
export function perRecord<R extends object, V>(compute: (record: R) => V): (record: R) => V {
	const known = new WeakMap<R, { value: V }>();
	return (record) => {
		const found = known.get(record) ?? { value: compute(record) };
		known.set(record, found);
		return found.value;
	};
}
