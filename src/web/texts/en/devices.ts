/** Texts of the devices view. */
export const devicesTexts = {
  intro: "The devices that report to this server, and their watchers.",
  none: "No device has reported yet.",
  watcher: "Watcher",
  lastReport: "Last report",
  state_now: "reports now",
  state_recent: "silent now",
  state_silent: "silent for over a day",
  state_empty: "no events yet",
  phone: "Connect a phone or another computer",
  phoneHow: "Scan the code with the phone, or enter the address in the settings of its watcher.",
  restart: "Only this computer can reach the server now. Stop it, and start it for other devices:",
  unencrypted: "Keys and data cross your network unencrypted. {option} encrypts them, but watchers must accept it.",
  signIn: "Sign in on this computer:",
  key: "Create a key for the other device, which can then read everything and report:",
  reopen: "Open this page again. It then shows the address and its QR code.",
  address: "Address of this server",
  local: `Other devices cannot reach this address. Start the server with {option} and open the dashboard under this
    computer's name or IP address.`,
  notAnAddress: "Enter an address such as {example}.",
  code: "QR code of {address}",
  pairing: "A device that needs a key can ask for one. The request then appears at the top of each view: {access}.",
} as const;
