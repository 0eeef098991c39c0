/** How large one row is, in bytes of JSON. */
const ROW_BYTES = 720;

/** One device of a network, as its inventory writes it. */
export type DeviceRow = Readonly<Record<string, unknown>>;

/**
 * Makes rows such as a bulk create of devices answers: about 720 bytes each, with a UUID.
 *
 * @param count How many.
 */
export function deviceRows(count: number): readonly DeviceRow[] {
  return Array.from({ length: count }, (_, i) => {
    const id = crypto.randomUUID();
    const row = {
      id,
      url: `https://inventory.example/api/dcim/devices/${id}/`,
      name: `edge-${String(i).padStart(4, "0")}`,
      device_type: { id: 7, slug: "qfx5120-48y", manufacturer: "Juniper" },
      role: { id: 3, slug: "leaf" },
      site: { id: 12, slug: "hq-1", name: "Headquarters" },
      rack: null,
      position: (i % 42) + 1,
      status: { value: "planned", label: "Planned" },
      serial: `SN${String(1_000_000 + i)}`,
      asset_tag: null,
      primary_ip4: null,
      tags: ["provisioned", "bulk"],
      custom_fields: { owner: "network", cost_center: 4711, monitored: false },
      created: "2026-08-24T09:30:00Z",
      last_updated: "2026-08-24T09:30:00Z",
      comments: "",
    };
    const missing = ROW_BYTES - JSON.stringify(row).length;
    return {
      ...row,
      comments: "Delivered with pallet 4. ".repeat(9).slice(0, Math.max(missing, 0)),
    };
  });
}
