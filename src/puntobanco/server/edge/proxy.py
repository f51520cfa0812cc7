"""The address of whoever asks, behind proxies that the house was told of and no others.

`X-Forwarded-For` can be sent by anyone: it counts only where a trusted proxy has written it, and
only its last address that is no such proxy.
"""

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from puntobanco.errors import MalformedError

Networks = tuple[IPv4Network | IPv6Network, ...]


def networks_of(text: str) -> Networks:
    """Addresses and networks, with commas between them.

    >>> [str(one) for one in networks_of("10.0.0.2, 192.168.7.0/24")]
    ['10.0.0.2/32', '192.168.7.0/24']
    """
    try:
        return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())
    except ValueError as error:
        raise MalformedError(f"--behind-tls takes the proxy's addresses: {error}") from error


def client_of(peer: str, forwarded: str, proxies: Networks) -> str:
    """Whose request it is: the peer's own, or of the last in line who is no proxy of ours.

    >>> ours = networks_of("10.0.0.2,10.0.0.3")
    >>> client_of("203.0.113.9", "198.51.100.7", ours)
    '203.0.113.9'
    >>> client_of("10.0.0.2", "1.2.3.4, 198.51.100.7, 10.0.0.3", ours)
    '198.51.100.7'
    """
    for address in (peer, *reversed([one.strip() for one in forwarded.split(",")])):
        if not is_in(address, proxies):
            return address if address == peer or _is_address(address) else peer
    return peer


def is_in(address: str, proxies: Networks) -> bool:
    return _is_address(address) and any(ip_address(address) in one for one in proxies)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_this_machine(host: str) -> bool:
    """Whether only this machine reaches what listens there.

    >>> [is_this_machine(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.7")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
