import type { INodeParameters, INodeProperties } from 'n8n-workflow';

/** `({"backup restore":"restore.scope.paths"})[$parameter["resource"] + " " + $parameter["operation"]]` */
const BY_OPERATION =
	/^=\{\{ \((\{.*\})\)\[\$parameter\["resource"\] \+ " " \+ \$parameter\["operation"\]\] \}\}$/;

/**
 * The key in the query, or the place in the body, that a parameter is sent as with an operation. Where operations
 * send it differently, its description has an expression, which is read here and not evaluated.
 */
export function placeOf(
	{ name, routing }: INodeProperties,
	{ resource, operation }: INodeParameters,
): string | undefined {
	const place = routing?.send?.property;
	if (!place?.startsWith('=')) return place;
	const [, words] = BY_OPERATION.exec(place) ?? [];
	if (!words) throw new Error(`test/support/places.ts: read where ${name} is sent: ${place}`);
	const chosen = `${String(resource)} ${String(operation)}`;
	const places = JSON.parse(words) as Record<string, string>;
	if (!Object.hasOwn(places, chosen)) throw new Error(`${name} has no place with ${chosen}`);
	return places[chosen];
}
